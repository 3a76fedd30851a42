import { showTheme, storedTheme } from '@tillbridge/protocol/panel/theme.js';
import { render } from 'preact';
import { App } from './views/app.js';

// The browser would keep an entry for each of the first 250 calls.
performance.setResourceTimingBufferSize(0);
showTheme(storedTheme());
const root = document.getElementById('panel');
if (root) render(<App />, root);
