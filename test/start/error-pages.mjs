// Writes the reference page of each package's errors from its table, the page and the Prometheus rules of the gateway's alerts,
// and the page of result codes. With --check it compares instead and exits 1 when a page is out of
// date. Needs the built packages.
import { join } from 'node:path';
import { keepPage } from './generated-page.mjs';
import { ROOT } from './prepare.mjs';

const { alertPage, prometheusRules } = await import(join(ROOT, 'gateway/dist/kernel/alerts/alert-pages.js'));
const { resultCodePage } = await import(
  join(ROOT, 'protocol/wire/dist/payment/result-codes/result-code-page.js')
);
const { errorPage } = await import(join(ROOT, 'protocol/wire/dist/errors/error-row.js'));

/** Packages, and where their table is. */
const TABLES = {
  agent: 'errors',
  gateway: 'kernel/errors',
  'hardware-sim': 'errors',
  'protocol/wire': 'errors',
  'protocol/platform': 'errors',
};

for (const [name, folder] of Object.entries(TABLES)) {
  const { ERROR_TABLE } = await import(join(ROOT, name, 'dist', folder, 'error-table.js'));
  keepPage(join(name, 'docs', 'errors.md'), errorPage(name, ERROR_TABLE), 'npm run errors');
}
keepPage(join('gateway', 'docs', 'alerts.md'), alertPage(), 'npm run errors');
keepPage(join('gateway', 'docs', 'prometheus-rules.yml'), prometheusRules(), 'npm run errors');
keepPage(join('gateway', 'docs', 'result-codes.md'), resultCodePage(), 'npm run errors');
