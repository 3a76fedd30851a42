import { showTheme, storedTheme } from '@tillbridge/panel-kit/theme.js';
import { render } from 'preact';
import { keepShell } from './shell.js';
import { languageOf, speak } from './texts/texts.js';
import { App } from './views/app.js';

// The browser would keep an entry for each of the first 250 calls.
performance.setResourceTimingBufferSize(0);
showTheme(storedTheme());
const language = languageOf(navigator.languages);
document.documentElement.lang = language;
speak(language);
const root = document.getElementById('panel');
if (root) render(<App />, root);
keepShell();
