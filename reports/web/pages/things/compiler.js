// One compiler in one snapshot: what it built, and since when it is in use.
import { specOfCompiler } from '../../spec/search/names_in_specs.js';
import { usePage } from './use.js';

export const compilerPage = ({ at, name, signal }) => usePage({
  name, at, signal, given: { compiler: name, target: null }, what: 'compiler', spec: specOfCompiler(name), others: ['target', 'Targets'],
});
