// Writes the page of payment methods, operations and test data from the gateway's tables. With --check it compares instead and exits 1 when the
// page is out of date. Needs the built packages.
import { join } from 'node:path';
import { keepPage } from './generated-page.mjs';
import { ROOT } from './prepare.mjs';

const { methodPage } = await import(join(ROOT, 'gateway/dist/app/http/docs/method-page.js'));

keepPage(join('gateway', 'docs', 'payment-methods.md'), methodPage(), 'npm run methods');
