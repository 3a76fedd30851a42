import { CommitConflict } from '../../store/store.js';
import { RequestRefused } from './envelope.js';

/** The work's result. @throws RequestRefused where something else changed the same row at the same moment */
export async function unlessBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommitConflict) throw new RequestRefused('payment-running');
    throw error;
  }
}
