// On a phone a table that is wider than the screen is a list of cards: one row each, its values below one another. The page scrolls, not the
// list, so only some of the cards are in the document until the reader asks for more.
import { element, onWidth } from '../dom/element.js';
import { show } from '../dom/format.js';

const phone = matchMedia('(max-width: 760px)');
const character = 7.5;   // pixels, about: what a column's width is counted in
const first_cards = 8;
const more_cards = 20;

/// Decides, each time the width changes, between the table and its cards. `width()` is that of the table in characters. Gives the button that
/// shows more, which stands below, and `update`, to be called when the rows or the columns are others.
export function addCards(scroller, rows, width) {
  const button = element('button', { type: 'button', class: 'quiet more-cards', onclick: () => {
    rows.cards += more_cards;
    rows.draw();
    tell();
  } });
  let room = 0;
  const tell = () => {
    const left = rows.cards === null ? 0 : rows.selection.rows.length - rows.cards;
    button.hidden = left <= 0;
    button.textContent = `Show ${show(Math.min(left, more_cards))} more of ${show(rows.selection.rows.length)}`;
  };
  const update = () => {
    const are_cards = room > 0 && phone.matches && width() * character > room;
    rows.cards = are_cards ? first_cards : null;
    scroller.classList.toggle('cards', are_cards);
    rows.draw();
    tell();
  };
  onWidth(scroller, (now) => {
    room = now;
    update();
  });
  return { button, update };
}
