// Whether a build has what is asked. `unknown`: what the ledger has of the build does not say.
export const no = 0;
export const unknown = 1;
export const yes = 2;

export const answer = (holds) => (holds ? yes : no);
export const allOf = Math.min;
export const anyOf = Math.max;
