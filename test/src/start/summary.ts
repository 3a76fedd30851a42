import type { DevFile } from '../stack/dev-file.js';
import type { StackOptions } from '../stack/options.js';

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
    `agent      ${dev.agent?.url ?? '-'}  (REST under /v1, token in dev.json)`,
    `simulator  ${dev.simulator?.url ?? '-'}`,
    `acquirer   ${dev.acquirerHost?.address ?? '-'}  (ISO 8583; control ${dev.acquirerHost?.url ?? '-'})`,
    ...(dev.terminals ?? []).map(({ id, deviceType, path }) => `terminal   ${id}  ${deviceType}  ${path}`),
    `home       ${home}`,
    `ready ${isTerminal ? `     tokens, keys and passwords are in ${home}/dev.json; Ctrl-C ends everything` : JSON.stringify(dev)}`,
  ];
}
