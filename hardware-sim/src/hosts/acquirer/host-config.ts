import type { DialectSettings } from '@tillbridge/platform/config/dialect-section.js';
import type { TlsFiles } from '@tillbridge/platform/net/tls-certificate.js';
import type { DialectName } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import type { HostMacMethod, KeyForm } from './keys/key-names.js';

/** How an acquirer host runs. */
export interface AcquirerHostConfig {
  readonly home: string;
  readonly port: number;
  readonly controlPort: number;
  readonly dialect: DialectName;
  readonly dialectChanges?: DialectSettings;
  /** Codes by DUKPT: ten hex digits. */
  readonly macKeySet?: string;
  /** How codes are made under the zone MAC key; `none`: messages have none. */
  readonly macMethod: HostMacMethod | 'none';
  readonly keyForm: KeyForm;
  /** Certificate of the line, and the authority of the clients that it takes. */
  readonly tls?: TlsFiles & { readonly clientAuthorityFile?: string };
}
