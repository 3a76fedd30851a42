import type { Feature, Kernel } from '../../core/feature.js';
import { register as agents } from '../../features/agents/register.js';
import { register as chargebacks } from '../../features/chargebacks/register.js';
import { register as checkouts } from '../../features/checkouts/register.js';
import { register as console } from '../../features/console/register.js';
import { register as devices } from '../../features/devices/register.js';
import { register as paymentSearch } from '../../features/payment-search/register.js';
import { register as registrations } from '../../features/registrations/register.js';
import { register as requestLog } from '../../features/request-log/register.js';
import { register as risk } from '../../features/risk/register.js';
import { register as schedules } from '../../features/schedules/register.js';
import { register as settlement } from '../../features/settlement/register.js';
import { register as standIns } from '../../features/stand-ins/register.js';
import { register as threeDSecure } from '../../features/three-d-secure/register.js';
import { register as webhooks } from '../../features/webhooks/register.js';
import type { GatewayConfig } from '../configuration/config.js';

type Register = (kernel: Kernel, config: GatewayConfig) => Feature;

/** The features of a gateway; `program.ts` lists their commands. */
export const FEATURES: readonly Register[] = [
  agents,
  devices,
  threeDSecure,
  // A person reviews what is left to decide once the shopper has done their part.
  risk,
  chargebacks,
  settlement,
  webhooks,
  registrations,
  standIns,
  checkouts,
  schedules,
  paymentSearch,
  console,
  requestLog,
];
