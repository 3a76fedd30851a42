import {
  type ApplicationRisk,
  decodeAidList,
  decodeApplicationObjects,
  encodeAid,
  encodeApplicationData,
  riskOf,
  withRisk,
} from '@tillbridge/wire/terminals/idtech/application-data.js';
import type { CommandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import { statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';
import type { TerminalRisk } from '../core/driver.js';
import { isFailed, type Result } from '../core/result.js';
import type { NeoLink } from './link.js';
import { reading } from './replies.js';

/** Tag 9F1B has four bytes. */
const MAX_FLOOR_MINOR = 0xffffffff;

type Loaded = 'loaded' | 'refused';

/**
 * The risk management of the device's applications: NEO 2 takes it with the application data and not with a sale. It is
 * written where it differs from what a sale requires, the rest of the application data as the device has them.
 */
export class RiskLimits {
  private readonly link: NeoLink;
  /** What was written last, and how that ended. */
  private last: { readonly key: string; readonly how: Loaded } | undefined;

  constructor(link: NeoLink) {
    this.link = link;
  }

  /** `refused`: the device keeps its own limits, and the sale must be forced online. */
  async load(risk: TerminalRisk): Promise<Result<Loaded>> {
    const wanted = applicationRisk(risk);
    const key = JSON.stringify(wanted);
    if (this.last?.key === key) return this.last.how;
    this.last = undefined;
    const how = await this.write(wanted);
    if (typeof how === 'string') this.last = { key, how };
    return how;
  }

  private async write(wanted: ApplicationRisk): Promise<Result<Loaded>> {
    const aids = await this.ask('aidList', decodeAidList);
    if (aids === 'refused' || isFailed(aids)) return aids;
    for (const aid of aids) {
      const written = await this.writeOne(aid, wanted);
      if (written !== 'loaded') return written;
    }
    return 'loaded';
  }

  private async writeOne(aid: string, wanted: ApplicationRisk): Promise<Result<Loaded>> {
    const objects = await this.ask('applicationData', decodeApplicationObjects, encodeAid(aid));
    if (objects === 'refused' || isFailed(objects)) return objects;
    if (JSON.stringify(riskOf(objects)) === JSON.stringify(wanted)) return 'loaded';
    const changed = encodeApplicationData({ aid, objects: withRisk(objects, wanted) });
    return this.ask('setApplicationData', () => 'loaded', changed);
  }

  /** An answer names no application: a ping behind each keeps a repeated one from being taken for the next. */
  private async ask<T>(
    command: CommandName,
    read: (data: Buffer) => T,
    data?: Uint8Array,
  ): Promise<Result<T | 'refused'>> {
    const reply = await this.link.execute(command, data);
    if (isFailed(reply)) return reply;
    const fence = await this.link.execute('ping');
    if (isFailed(fence)) return fence;
    const done = reply.kind === 'reply' && statusOf(reply.status).hint === 'ok';
    return done ? reading(command, () => read(reply.data)) : 'refused';
  }
}

function applicationRisk(risk: TerminalRisk): ApplicationRisk {
  return {
    floorLimitMinor: Math.min(MAX_FLOOR_MINOR, risk.floorLimitMinor),
    thresholdMinor: Math.min(MAX_FLOOR_MINOR, risk.randomSelectionThresholdMinor),
    targetPercent: risk.randomSelectionTargetPercent,
    maxTargetPercent: risk.randomSelectionMaxPercent,
  };
}
