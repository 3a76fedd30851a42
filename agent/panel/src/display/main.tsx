import { showTheme, storedTheme } from '@tillbridge/panel-kit/theme.js';
import { render } from 'preact';
import { CustomerDisplayPage } from './display-page.js';
import { keepAwake } from './keep-awake.js';
import { LiveDisplay } from './live-display.js';

// The browser would keep an entry for each of the first 250 calls.
performance.setResourceTimingBufferSize(0);
showTheme(storedTheme());
const live = new LiveDisplay();
const root = document.getElementById('panel');
if (root) render(<CustomerDisplayPage live={live} />, root);
keepAwake();
