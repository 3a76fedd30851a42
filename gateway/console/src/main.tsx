import { showTheme, storedTheme } from '@tillbridge/panel-kit/theme.js';
import { render } from 'preact';
import { languageOf, speak } from './texts/texts.js';
import { App } from './views/app.js';

showTheme(storedTheme());
const language = languageOf(navigator.languages);
document.documentElement.lang = language;
speak(language);
const root = document.getElementById('panel');
if (root) render(<App />, root);
