import { HomeInUseError, type HomeLock, lockHome } from '@tillbridge/platform/home-lock.js';
import { UpdateBusyError, UpdateUsageError } from '../base/update-error.js';

/** Takes the folder of the slots for this process alone, without waiting. @throws UpdateBusyError, UpdateUsageError */
export async function lockUpdates(folder: string): Promise<HomeLock> {
  try {
    return await lockHome({ home: folder, program: 'update', variable: 'AGENT_HOME' });
  } catch (error) {
    if (error instanceof HomeInUseError)
      throw new UpdateBusyError(`another update works in ${folder}: wait for it`);
    throw new UpdateUsageError(`${folder} cannot be written: run this as the user that owns it`);
  }
}
