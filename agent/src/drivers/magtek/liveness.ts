import { encodeProperty } from '@tillbridge/wire/terminals/magtek/properties.js';
import type { WaitEnd } from '../core/event-queue.js';
import { type Failed, isFailed } from '../core/result.js';
import { LIVENESS_PAUSE_MS } from './limits.js';
import type { MmsLink } from './link.js';
import type { Notice, Notices } from './notices.js';

/**
 * The next notice. While none comes, a command checks that the device is there: it answers commands at once, also while a
 * transaction runs. A refusal is an answer, too. Returns the failure of a device that does not answer.
 */
export async function nextNotice(
  link: MmsLink,
  notices: Notices,
  timeoutMs: number,
): Promise<Notice | WaitEnd | Failed> {
  for (let leftMs = timeoutMs; ; leftMs -= LIVENESS_PAUSE_MS) {
    const notice = await notices.next((each) => each, Math.min(leftMs, LIVENESS_PAUSE_MS));
    if (notice !== 'timeout' || leftMs <= LIVENESS_PAUSE_MS) return notice;
    const reply = await link.request('getProperty', encodeProperty('operationalStatus'));
    if (isFailed(reply)) return reply;
  }
}
