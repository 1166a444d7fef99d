// One target in one snapshot: what is built for it, and since when.
import { usePage } from './use.js';

export const targetPage = ({ at, name, signal }) => usePage({
  name, at, signal, given: { target: name, compiler: null }, what: 'target', spec: `target=${name}`, others: ['compiler', 'Compilers'],
});
