// Tables show more on paper than on a screen.

const paper = matchMedia('print');
const place = 'on-paper';

/// Calls `act(is_printing)` when the page is about to be printed, and afterwards, as long as `made` is in the document. What has left the
/// document is not held in memory by it.
export function onPaper(made, act) {
  made.classList.add(place);
  made.addEventListener(place, () => act(paper.matches));
}

paper.addEventListener('change', () => {
  for (const made of document.getElementsByClassName(place)) made.dispatchEvent(new Event(place));
});
