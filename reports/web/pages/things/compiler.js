// One compiler in one snapshot: what it built, and since when it is in use.
import { usePage } from './use.js';

export const compilerPage = ({ at, name, signal }) => usePage({
  name, at, signal, given: { compiler: name, target: null }, what: 'compiler', spec: `%${name}`, others: ['target', 'Targets'],
});
