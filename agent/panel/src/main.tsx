import { Page } from '@tillbridge/protocol/panel/components/page.js';
import { render } from 'preact';

const root = document.getElementById('panel');
if (root) render(<Page name="Store">{undefined}</Page>, root);
