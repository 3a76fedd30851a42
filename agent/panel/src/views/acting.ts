import { showToast } from '@tillbridge/panel-kit/components/toasts.js';
import { detailOf } from '@tillbridge/panel-kit/refused-error.js';

/** Does something, and shows why it was refused. Resolves with whether it was done. */
export async function acting(act: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await act();
    if (done !== undefined) showToast(done, 'good');
    return true;
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error), 'bad', detailOf(error));
    return false;
  }
}
