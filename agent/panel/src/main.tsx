import { showTheme, storedTheme } from '@tillbridge/protocol/panel/theme.js';
import { render } from 'preact';
import { App } from './views/app.js';

showTheme(storedTheme());
const root = document.getElementById('panel');
if (root) render(<App />, root);
