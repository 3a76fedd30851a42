import { render } from 'preact';
import { showTheme, storedTheme } from '../theme.js';
import { load } from './model/store.js';
import { App } from './views/app.js';

showTheme(storedTheme());
const root = document.getElementById('panel');
if (root) {
  void load();
  render(<App />, root);
}
