import { render } from 'preact';
import { followAddress } from './model/actions.js';
import { follow } from './model/stream.js';
import { App } from './views/app.js';

const root = document.getElementById('panel');
if (root) {
  followAddress();
  render(<App />, root);
  follow();
}
