import { render } from 'preact';
import { follow } from './model/stream.js';
import { App } from './views/app.js';

const root = document.getElementById('panel');
if (root) {
  render(<App />, root);
  follow();
}
