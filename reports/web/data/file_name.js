// Names of files of data, as reports/site/FORMAT.md has them.

/// The digest is of the content: no file of another ledger comes in its place. The files of the bundle have none.
export const fileName = (key, digest) => `data/${key}${digest === undefined ? '' : `.${digest}`}.js`;

/// What a reader is told where one is not there, or was cut.
export const notLoaded = (file) =>
  `${file} can't be loaded: the site was made anew meanwhile, or it is not whole. Load the page again.`;
