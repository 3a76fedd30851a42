import { join } from 'node:path';
import type { DevFile } from '../stack/dev-file.js';
import { ROOT } from '../stack/layout.js';
import type { StackOptions } from '../stack/options.js';

/** Where the programs look by themselves. */
const USUAL_HOME = join(ROOT, '.local');

/**
 * What `npm start` prints when everything is up: where everything is, then the line `ready`. A script reads the content of `dev.json` from it,
 * with tokens and keys. A person at a terminal gets the file's name instead: what a terminal shows stays in its history.
 */
export function summary(
  { home }: Pick<StackOptions, 'home'>,
  dev: DevFile,
  isTerminal: boolean,
): readonly string[] {
  return [
    `gateway    ${dev.gateway.url}  (REST under /v1, bridge ${dev.gateway.bridgeUrl})`,
    `demo shop  ${dev.gateway.url}/demo  (pay with a test card)`,
    `console    ${dev.console?.url ?? '-'}  (user ${dev.console?.user ?? '-'}, without a code; its password is in dev.json)`,
    `agent      ${dev.agent?.url ?? '-'}  (REST under /v1, token in dev.json)`,
    `simulator  ${dev.simulator?.url ?? '-'}`,
    `acquirer   ${dev.acquirerHost?.address ?? '-'}  (ISO 8583; control ${dev.acquirerHost?.url ?? '-'})`,
    ...(dev.terminals ?? []).map(({ id, deviceType, path }) => `terminal   ${id}  ${deviceType}  ${path}`),
    `home       ${home}`,
    '',
    'try this next',
    `  open    ${dev.gateway.url}/demo  (choose something, press Checkout, pay with a test card)`,
    ...commandsToTry(home, dev).map((command) => `  run     ${command}`),
    '',
    `ready ${isTerminal ? `     tokens, keys and passwords are in ${home}/dev.json; Ctrl-C ends everything` : JSON.stringify(dev)}`,
  ];
}

/** Commands that a person tries first, as they are typed in the folder of the repository. */
function commandsToTry(home: string, { agent, terminals = [] }: DevFile): readonly string[] {
  const [terminal] = terminals;
  if (!agent || !terminal) return [];
  // Without the variable the programs look into the usual home.
  const elsewhere = home === USUAL_HOME ? '' : `TILLBRIDGE_HOME=${home} `;
  return [
    `npx tillbridge-agent sale --amount 12.34 --currency EUR --terminal ${terminal.id}`,
    'npx tillbridge-agent status',
    'npx tillbridge-gateway trigger checkout-result',
    'npx tillbridge-gateway alerts list',
  ].map((command) => command.replace('npx ', `${elsewhere}npx `));
}
