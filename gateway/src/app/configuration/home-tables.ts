import { readFileSync } from 'node:fs';
import { systemCode } from '@tillbridge/protocol/errors/system-code.js';
import { ConfigError } from '@tillbridge/protocol/platform/config/problems.js';
import { type BinTable, BinTableError, readBinTable } from '../../core/payments/rules/bin-table.js';
import { SHIPPED_BIN_TABLE } from '../../core/payments/shipped-bin-table.js';
import {
  type IpCountries,
  IpCountriesError,
  NO_IP_COUNTRIES,
  readIpCountries,
} from '../../features/risk/ip-countries.js';

/** Tables of data that an installation may put into its home. */
export interface HomeTables {
  readonly binTable: BinTable;
  readonly ipCountries: IpCountries;
}

/** Reads the tables; a file that is not there leaves what ships. @throws ConfigError naming the file and what is wrong in it */
export function readHomeTables(files: {
  readonly binTable: string;
  readonly ipCountries: string;
}): HomeTables {
  return {
    binTable: readTable(files.binTable, readBinTable) ?? SHIPPED_BIN_TABLE,
    ipCountries: readTable(files.ipCountries, readIpCountries) ?? NO_IP_COUNTRIES,
  };
}

function readTable<T>(file: string, read: (content: string) => T): T | undefined {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof BinTableError || error instanceof IpCountriesError)
      throw new ConfigError(`${file}: ${error.message}`);
    const code = systemCode(error);
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`${file} cannot be read: ${code}`);
  }
}
