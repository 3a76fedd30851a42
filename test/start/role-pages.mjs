// Writes the page of roles and routes from the gateway's tables. With --check it compares instead and exits 1 when the page is out of date. Needs
// the built packages.
import { join } from 'node:path';
import { keepPage } from './generated-page.mjs';
import { ROOT } from './prepare.mjs';

const { rolePage } = await import(join(ROOT, 'gateway/dist/kernel/api/openapi/role-matrix.js'));

keepPage(join('gateway', 'docs', 'console-roles.md'), rolePage(), 'npm run roles');
