import type { AcquirerConfig } from '../../../core/acquirers/configuration/acquirer-section.js';
import { nameReader } from '../../../core/acquirers/configuration/file-names.js';
import { STANDARD_FORM } from '../import/csv-form.js';
import { mappingOf } from '../import/mapping-file.js';
import { FolderPlace } from './file-place.js';
import { FtpPlace } from './ftp-place.js';
import type { HostFileSource } from './host-files.js';

/** Where files of an acquirer come from; undefined where it puts none anywhere. @throws OperatorError its mapping is wrong */
export function hostFileSource({ name, files }: AcquirerConfig): HostFileSource | undefined {
  if (!files) return undefined;
  const { folder, ftp, settlements, chargebacks, mappingFile } = files;
  // The configuration names one of both.
  const place = ftp ? new FtpPlace(ftp) : new FolderPlace(folder ?? '');
  return {
    acquirer: name,
    place,
    form: mappingFile === undefined ? STANDARD_FORM : mappingOf(mappingFile),
    settlements: nameReader(settlements),
    chargebacks: nameReader(chargebacks),
  };
}
