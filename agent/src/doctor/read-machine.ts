import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { requestGateway } from '../uplink/gateway-answer.js';
import { fileTrust } from '../uplink/gateway-trust.js';
import { IdentityError } from '../uplink/identity.js';
import { tlsOptions } from '../uplink/tls-trust.js';
import type { Finding } from './finding.js';
import { diskFinding, gatewayFindings, nodeFinding } from './machine-findings.js';

/** Node.js, the disk of the home, and, of a home that is enrolled, its gateway, certificate and clock. */
export async function machineFindings(
  { home, bridgeUrl }: { readonly home: string; readonly bridgeUrl: string },
  clock: Pick<Clock, 'nowMs'>,
): Promise<readonly Finding[]> {
  const pins = pinsOf(home);
  const gateway = pins && (await requestGateway(bridgeUrl, tlsOptions(pins)));
  return [
    nodeFinding(process.versions.node),
    ...diskFindings(home),
    ...(gateway ? gatewayFindings(bridgeUrl, gateway, clock.nowMs()) : []),
  ];
}

function pinsOf(home: string) {
  try {
    return fileTrust(home).pins;
  } catch (error) {
    if (error instanceof IdentityError) return undefined;
    throw error;
  }
}

/** Of a home that is missing yet, the disk of the folder that will hold it. */
function diskFindings(home: string): readonly Finding[] {
  for (let folder = home; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = statfsSync(folder);
      return [diskFinding(home, bavail * bsize)];
    } catch {
      if (folder === dirname(folder)) return [];
    }
  }
}
