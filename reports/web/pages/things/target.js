// One target in one snapshot: what is built for it, and since when.
import { specOfTarget } from '../../spec/search/names_in_specs.js';
import { usePage } from './use.js';

export const targetPage = ({ at, name, signal }) => usePage({
  name, at, signal, given: { target: name, compiler: null }, what: 'target', spec: specOfTarget(name), others: ['compiler', 'Compilers'],
});
