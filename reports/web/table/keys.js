// Moving through a table with the keyboard (w3.org/WAI/ARIA/apg/patterns/grid): one cell can have the focus; arrows move it. Row -1 is
// the heading.

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

/// `grid` is the element that takes the keys. `view` has `scroller`, the element that scrolls; `size()`, which gives {rows, columns, page};
/// `reach(row, column)`, which scrolls there and gives the element to focus; `placeOf(element)`, which gives [row, column] or null; and
/// `act(row, column, element)`.
export function moveByKeys(grid, view) {
  let at = [-1, 0];
  const focus = () => {
    const { rows, columns } = view.size();
    at = [within(at[0], -1, rows - 1), within(at[1], 0, columns - 1)];
    const target = view.reach(...at);
    grid.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    target?.setAttribute('tabindex', '0');
    target?.focus({ preventScroll: true });
  };
  grid.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey) return;
    if (event.key in steps) {
      event.preventDefault();
      at = steps[event.key](at, view.size(), event);
      focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      view.act(...at, event.target);
    }
  });
  // The cell that Tab leads to may have been scrolled away: then Tab leads to the first heading.
  view.scroller.addEventListener('scroll', () => requestAnimationFrame(() => {
    if (!grid.querySelector('[tabindex="0"]')) view.reach(-1, 0)?.setAttribute('tabindex', '0');
  }), { passive: true });
  grid.addEventListener('focusin', (event) => {
    at = view.placeOf(event.target) ?? at;
  });
}
