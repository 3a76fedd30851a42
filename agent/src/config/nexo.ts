import { resolve } from 'node:path';
import { host, isLoopbackHost, port } from '@tillbridge/platform/config/net-setting.js';
import type { Problems } from '@tillbridge/platform/config/problems.js';
import { flag, path } from '@tillbridge/platform/config/setting.js';
import { mappingOf, ruledText, section, text } from '@tillbridge/platform/schema/fields.js';
import type { RuleFault } from '@tillbridge/platform/schema/rule.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';

/** Most characters of a common name (RFC 5280, ub-common-name). */
const COMMON_NAME = /^[0-9A-Za-z](?:[0-9A-Za-z.-]{0,62}[0-9A-Za-z])?$/;

/** The mapping `nexo`. */
export const NEXO = section({
  host: host({ description: 'Address for tills that speak nexo.', default: '127.0.0.1' }),
  port: port({ description: 'Its port; 0: any free one.', env: 'NEXO_PORT', default: 8443 }),
  commonName: Type.Optional(
    text('a name of up to 64 letters, digits, dots and hyphens', COMMON_NAME, {
      description: 'Common name of the certificate: what clients compare.',
      fallback: '`legacy-terminal-certificate.MODE.terminal.adyen.com`',
    }),
  ),
  keyFile: Type.Optional(
    path({
      description:
        'File of mode 0600 with the key of the messages: JSON with identifier, version, passphrase.',
      fallback: '`nexo-key.json` in the home, made at the first start',
    }),
  ),
  plain: flag({
    description: 'Take messages that are not enciphered, from this machine alone; test mode alone.',
    env: 'NEXO_PLAIN',
    default: false,
  }),
  displayUrls: Type.Optional(
    mappingOf(
      'SaleIDs',
      /^[!-~](?:[ -~]{0,62}[!-~])?$/,
      'a SaleID',
      ruledText('an http: or https: address', urlFault),
      {
        description: 'Addresses of tills to which the texts of a terminal are sent while it sells for them.',
      },
    ),
  ),
});

type Written = Static<typeof NEXO>;

/** Where and how tills that speak nexo are served. */
export type NexoConfig = Readonly<
  Omit<Written, 'commonName' | 'displayUrls'> & {
    readonly commonName: string;
    readonly displayUrls: ReadonlyMap<string, string>;
  }
>;

/** The section with what it leaves out; undefined where nexo is not served. Notes what is wrong. */
export function nexoConfig(
  written: Written | undefined,
  mode: 'test' | 'live',
  problems: Problems,
): NexoConfig | undefined {
  if (!written) return undefined;
  const { keyFile, displayUrls = {}, commonName, ...rest } = written;
  if (written.plain && mode === 'live')
    problems.at(['nexo', 'plain'], 'must be false in live mode: messages are enciphered there');
  if (written.plain && !isLoopbackHost(written.host))
    problems.at(['nexo', 'plain'], 'must be false beyond loopback: messages would cross a network in clear');
  return {
    ...rest,
    commonName: commonName ?? `legacy-terminal-certificate.${mode}.terminal.adyen.com`,
    displayUrls: new Map(Object.entries(displayUrls)),
    ...(keyFile !== undefined && { keyFile: resolve(keyFile) }),
  };
}

function urlFault(value: unknown): RuleFault | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return {};
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? undefined : {};
}
