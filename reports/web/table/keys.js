// Moving through a grid with the keyboard (w3.org/WAI/ARIA/apg/patterns/grid). Arrows move from cell to cell. The focus goes to the first
// link or button of a cell, to the cell itself where it has none. Tab goes through what the cell holds, then leaves the grid. Enter and
// Space do what they do to a link or a button; on everything else they act on the cell. Row -1 is the heading.

const steps = {
  ArrowDown: ([row, column]) => [row + 1, column],
  ArrowUp: ([row, column]) => [row - 1, column],
  ArrowRight: ([row, column]) => [row, column + 1],
  ArrowLeft: ([row, column]) => [row, column - 1],
  PageDown: ([row, column], { page }) => [row + page, column],
  PageUp: ([row, column], { page }) => [row - page, column],
  Home: ([row], _, event) => [event.ctrlKey ? -1 : row, 0],
  End: ([row], { rows, columns }, event) => [event.ctrlKey ? rows - 1 : row, columns - 1],
};

const within = (value, least, most) => Math.max(least, Math.min(value, most));

/// What the focus can go to in a cell: its links and buttons, or the cell.
function stopsOf(cell) {
  const inner = [...cell.querySelectorAll('a[href], button')];
  return inner.length > 0 ? inner : [cell];
}

// Only the cell of the focus is in the order of Tab.
function moveTab(grid, stops) {
  for (const other of grid.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  for (const stop of stops) stop.tabIndex = 0;
}

// Enter is the browser's own where it follows a link or presses a button, and so is Space on a button.
const isBrowsers = (key, target) => target.matches('button') || (key === 'Enter' && target.matches('a[href]'));

/// `grid` is the element that takes the keys. `view` has `scroller`, the element that scrolls; `size()`, which gives {rows, columns, page};
/// `reach(row, column)`, which scrolls there and gives the cell; `placeOf(element)`, which gives [row, column] or null; and
/// `act(row, column, element)`, for Enter and Space.
export function moveByKeys(grid, view) {
  let at = [-1, 0];
  const focus = () => {
    const { rows, columns } = view.size();
    at = [within(at[0], -1, rows - 1), within(at[1], 0, columns - 1)];
    const cell = view.reach(...at);
    if (!cell) return;
    const stops = stopsOf(cell);
    moveTab(grid, stops);
    stops[0].focus({ preventScroll: true });
  };
  grid.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey) return;
    if (event.key in steps) {
      event.preventDefault();
      at = steps[event.key](at, view.size(), event);
      focus();
    } else if ((event.key === 'Enter' || event.key === ' ') && !isBrowsers(event.key, event.target)) {
      event.preventDefault();
      view.act(...at, event.target);
      focus();   // the rows may be others now
    }
  });
  // The cell that Tab leads to may have been scrolled away: then Tab leads to the first heading.
  view.scroller.addEventListener('scroll', () => requestAnimationFrame(() => {
    if (grid.querySelector('[tabindex="0"]')) return;
    const first = view.reach(-1, 0);
    if (first) moveTab(grid, stopsOf(first));
  }), { passive: true });
  grid.addEventListener('focusin', (event) => {
    at = view.placeOf(event.target) ?? at;
  });
}
