// Tables show more on paper than on a screen.

const paper = matchMedia('print');
const place = 'on-paper';

/// Calls `act(is_printing)` when the page is about to be printed, and afterwards, as long as `made` is in the document. What has left the
/// document is not held in memory by it.
export function onPaper(made, act) {
  made.classList.add(place);
  made.addEventListener(place, ({ detail }) => act(detail));
}

function tell(is_printing) {
  for (const made of document.getElementsByClassName(place)) made.dispatchEvent(new CustomEvent(place, { detail: is_printing }));
}

// Chromium counts the sheets before it tells of the other medium: what changes only then is cut, or leaves empty sheets. The medium alone
// changes where a page is looked at as on paper without being printed.
addEventListener('beforeprint', () => tell(true));
addEventListener('afterprint', () => tell(paper.matches));
paper.addEventListener('change', () => tell(paper.matches));
