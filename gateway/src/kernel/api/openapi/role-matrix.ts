import { USER_ROLE_NAMES } from '../catalogue/administration/user-role-names.js';
import { TOKEN_RIGHTS, type TokenRight } from '../token-rights.js';
import { OPERATOR_RIGHTS, USER_ROLES } from '../user-roles.js';
import { ENDPOINTS, type Endpoint, tokenRights } from './endpoints.js';

/** Roles of users as the matrix has them, with their rights. */
export const MATRIX_ROLES: Readonly<Record<string, readonly TokenRight[]>> = {
  ...Object.fromEntries(USER_ROLE_NAMES.map((role) => [role, USER_ROLES[role].rights])),
  operator: OPERATOR_RIGHTS,
};

/** What a role may do by an endpoint. `some`: the parameters decide which right is needed, and the role has not all of them. */
export type MatrixCell = 'yes' | 'some' | 'no';

/** Whether the rights of a role open an endpoint. Pure. */
export function matrixCell(endpoint: Pick<Endpoint, 'access'>, rights: readonly TokenRight[]): MatrixCell {
  const wanted = tokenRights(endpoint);
  if (wanted.length === 0) return 'yes';
  const has = wanted.filter((right) => rights.includes(right)).length;
  if (has === 0) return 'no';
  return has === wanted.length ? 'yes' : 'some';
}

const MARKS: Readonly<Record<MatrixCell, string>> = { yes: '●', some: '◐', no: '' };

/** The page with every endpoint and what each role may do by it. */
export function rolePage(): string {
  const roles = Object.keys(MATRIX_ROLES);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const endpoints = ENDPOINTS.filter(({ access }) => access !== 'none' && access !== 'checkout-id');
  const lines = endpoints.map((endpoint) => {
    const cells = Object.values(MATRIX_ROLES).map((rights) => MARKS[matrixCell(endpoint, rights)]);
    const needs = endpoint.access === 'session' ? 'a session' : tokenRights(endpoint).join(', ');
    return row([`\`${endpoint.method.toUpperCase()} ${endpoint.path}\``, needs, ...cells]);
  });
  const rightsOf = (rights: readonly TokenRight[]): string =>
    rights.map((right) => `\`${right}\``).join(', ');
  return `# Roles and routes

Made of the table of endpoints by \`npm run roles\`; \`npm run check\` fails where it is out of date. A user of the [console](console.md) has a role for a
merchant with its channels, or for one channel; an operator sees all merchants. ● may use the route. ◐ may use it for some of its parameters, such as a
refund and no capture. Routes that need no token are left out.

${row(['role', 'rights', 'for'])}
|---|---|---|
${USER_ROLE_NAMES.map((role) => row([role, rightsOf(USER_ROLES[role].rights), USER_ROLES[role].allows])).join('\n')}
${row(['operator', rightsOf(OPERATOR_RIGHTS), 'sees and looks after all merchants, and moves no money'])}

${row(['right', 'allows'])}
|---|---|
${Object.entries(TOKEN_RIGHTS)
  .map(([right, allows]) => row([`\`${right}\``, allows]))
  .join('\n')}

${row(['route', 'needs one of', ...roles])}
|${'---|'.repeat(roles.length + 2)}
${lines.join('\n')}
`;
}
