// The button that goes from the colours of the system to light, to dark, and back.
import { element } from '../dom/element.js';
import { applyTheme, storedTheme, storeTheme } from './theme_store.js';

const themes = [
  { theme: null, sign: '◐', name: 'as the system' },
  { theme: 'light', sign: '☀', name: 'light' },
  { theme: 'dark', sign: '☾', name: 'dark' },
];

export function themeButton() {
  let place = themes.findIndex(({ theme }) => theme === storedTheme());
  const button = element('button', { type: 'button', id: 'theme', class: 'quiet' });
  const tell = () => {
    const { sign, name } = themes[place];
    button.textContent = `${sign}\ufe0e`;   // not as a picture in colours
    button.title = `Colours: ${name}. Next: ${themes[(place + 1) % themes.length].name}`;
    button.setAttribute('aria-label', `Colours: ${name}`);
  };
  button.addEventListener('click', () => {
    place = (place + 1) % themes.length;
    storeTheme(themes[place].theme);
    applyTheme(themes[place].theme);
    tell();
  });
  tell();
  return button;
}
