// Runs before the page is drawn, so that a dark page is never light first. A file of its own, because the policy of index.html allows no
// script in the page, and app.js comes after the data.
import { applyTheme, storedTheme } from './theme_store.js';

applyTheme(storedTheme());
