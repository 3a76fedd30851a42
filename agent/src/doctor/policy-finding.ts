import { fileTrust } from '../uplink/gateway-trust.js';
import { IdentityError, loadIdentity } from '../uplink/identity.js';
import { filePolicy, StorePolicyKeeper } from '../uplink/store-policy-keeper.js';
import { type Finding, ok, warning } from './finding.js';

const QUIET = { info: () => undefined, error: () => undefined };

/** Whether the home knows the policy of its store; undefined for a home that is not enrolled. */
export function policyFinding(home: string): Finding | undefined {
  try {
    const { agentId } = loadIdentity(home);
    const { pins } = fileTrust(home);
    const keeper = new StorePolicyKeeper({
      agentId,
      pins: () => pins,
      storage: filePolicy(home),
      log: QUIET,
    });
    if (keeper.policy) return ok(`the policy of the store is known, version ${keeper.policy.version}`);
    return warning(
      'the policy of the store is not known: nothing is sold without the gateway',
      'Let the agent reach its gateway, which sends it with every session.',
    );
  } catch (error) {
    if (error instanceof IdentityError) return undefined;
    throw error;
  }
}
