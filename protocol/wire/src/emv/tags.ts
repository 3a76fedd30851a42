/** Formats of EMV Book 3 §4.3; `template` holds other data objects, `dol` and `tags` hold lists of tags. */
type TagFormat = 'a' | 'an' | 'ans' | 'b' | 'cn' | 'n' | 'template' | 'dol' | 'tags';
/** Who gives the value. */
type TagSource = 'card' | 'terminal' | 'issuer' | 'kernel';

/** What the dictionary knows of a tag. */
export interface TagInfo {
  /** Uppercase hex. */
  readonly tag: string;
  readonly name: string;
  readonly format: TagFormat;
  readonly source: TagSource;
  /** The value may not be shown or logged in clear. */
  readonly sensitive: boolean;
}

type Row = readonly [
  tag: string,
  name: string,
  format: TagFormat,
  source: TagSource,
  sensitive?: 'sensitive',
];

/** Templates and files (EMV Book 1 and 3). */
const TEMPLATES: readonly Row[] = [
  ['61', 'Application Template', 'template', 'card'],
  ['6F', 'File Control Information (FCI) Template', 'template', 'card'],
  ['70', 'READ RECORD Response Message Template', 'template', 'card'],
  ['71', 'Issuer Script Template 1', 'template', 'issuer'],
  ['72', 'Issuer Script Template 2', 'template', 'issuer'],
  ['73', 'Directory Discretionary Template', 'template', 'card'],
  ['77', 'Response Message Template Format 2', 'template', 'card'],
  ['7F60', 'Biometric Information Template', 'template', 'card'],
  ['A5', 'File Control Information (FCI) Proprietary Template', 'template', 'card'],
  ['BF0C', 'File Control Information (FCI) Issuer Discretionary Data', 'template', 'card'],
  ['E0', 'Private Template', 'template', 'terminal'],
  ['FF8105', 'Data Record', 'template', 'kernel'],
  ['FF8106', 'Discretionary Data', 'template', 'kernel'],
  ['80', 'Response Message Template Format 1', 'b', 'card'],
];

/** EMV Book 3 Annex A, one-byte tags. */
const ONE_BYTE: readonly Row[] = [
  ['42', 'Issuer Identification Number (IIN)', 'n', 'card'],
  ['4F', 'Application Dedicated File (ADF) Name', 'b', 'card'],
  ['50', 'Application Label', 'ans', 'card'],
  ['52', 'Command to perform', 'b', 'card'],
  ['56', 'Track 1 Data', 'ans', 'card', 'sensitive'],
  ['57', 'Track 2 Equivalent Data', 'b', 'card', 'sensitive'],
  ['5A', 'Application Primary Account Number (PAN)', 'cn', 'card', 'sensitive'],
  ['81', 'Amount, Authorised (Binary)', 'b', 'terminal'],
  ['82', 'Application Interchange Profile (AIP)', 'b', 'card'],
  ['83', 'Command Template', 'b', 'terminal'],
  ['84', 'Dedicated File (DF) Name', 'b', 'card'],
  ['86', 'Issuer Script Command', 'b', 'issuer'],
  ['87', 'Application Priority Indicator', 'b', 'card'],
  ['88', 'Short File Identifier (SFI)', 'b', 'card'],
  ['89', 'Authorisation Code', 'an', 'issuer'],
  ['8A', 'Authorisation Response Code', 'an', 'issuer'],
  ['8C', 'Card Risk Management Data Object List 1 (CDOL1)', 'dol', 'card'],
  ['8D', 'Card Risk Management Data Object List 2 (CDOL2)', 'dol', 'card'],
  ['8E', 'Cardholder Verification Method (CVM) List', 'b', 'card'],
  ['8F', 'Certification Authority Public Key Index (card)', 'b', 'card'],
  ['90', 'Issuer Public Key Certificate', 'b', 'card'],
  ['91', 'Issuer Authentication Data', 'b', 'issuer'],
  ['92', 'Issuer Public Key Remainder', 'b', 'card'],
  ['93', 'Signed Static Application Data', 'b', 'card'],
  ['94', 'Application File Locator (AFL)', 'b', 'card'],
  ['95', 'Terminal Verification Results (TVR)', 'b', 'terminal'],
  ['97', 'Transaction Certificate Data Object List (TDOL)', 'dol', 'card'],
  ['98', 'Transaction Certificate (TC) Hash Value', 'b', 'terminal'],
  ['99', 'Transaction Personal Identification Number (PIN) Data', 'b', 'terminal', 'sensitive'],
  ['9A', 'Transaction Date', 'n', 'terminal'],
  ['9B', 'Transaction Status Information (TSI)', 'b', 'terminal'],
  ['9C', 'Transaction Type', 'n', 'terminal'],
  ['9D', 'Directory Definition File (DDF) Name', 'b', 'card'],
];

/** EMV Book 3 Annex A, tags 5Fxx. */
const TAGS_5F: readonly Row[] = [
  ['5F20', 'Cardholder Name', 'ans', 'card', 'sensitive'],
  ['5F24', 'Application Expiration Date', 'n', 'card'],
  ['5F25', 'Application Effective Date', 'n', 'card'],
  ['5F28', 'Issuer Country Code', 'n', 'card'],
  ['5F2A', 'Transaction Currency Code', 'n', 'terminal'],
  ['5F2D', 'Language Preference', 'an', 'card'],
  ['5F30', 'Service Code', 'n', 'card'],
  ['5F34', 'Application PAN Sequence Number', 'n', 'card'],
  ['5F36', 'Transaction Currency Exponent', 'n', 'terminal'],
  ['5F50', 'Issuer URL', 'ans', 'card'],
  ['5F53', 'International Bank Account Number (IBAN)', 'b', 'card', 'sensitive'],
  ['5F54', 'Bank Identifier Code (BIC)', 'an', 'card'],
  ['5F55', 'Issuer Country Code (alpha2)', 'a', 'card'],
  ['5F56', 'Issuer Country Code (alpha3)', 'a', 'card'],
  ['5F57', 'Account Type', 'n', 'terminal'],
];

/** EMV Book 3 Annex A, tags 9F01 to 9F2F. */
const TAGS_9F_LOW: readonly Row[] = [
  ['9F01', 'Acquirer Identifier', 'n', 'terminal'],
  ['9F02', 'Amount, Authorised (Numeric)', 'n', 'terminal'],
  ['9F03', 'Amount, Other (Numeric)', 'n', 'terminal'],
  ['9F04', 'Amount, Other (Binary)', 'b', 'terminal'],
  ['9F05', 'Application Discretionary Data', 'b', 'card'],
  ['9F06', 'Application Identifier (AID) - terminal', 'b', 'terminal'],
  ['9F07', 'Application Usage Control', 'b', 'card'],
  ['9F08', 'Application Version Number (card)', 'b', 'card'],
  ['9F09', 'Application Version Number (terminal)', 'b', 'terminal'],
  ['9F0A', 'Application Selection Registered Proprietary Data', 'b', 'card'],
  ['9F0B', 'Cardholder Name Extended', 'ans', 'card', 'sensitive'],
  ['9F0C', 'Issuer Identification Number Extended', 'n', 'card'],
  ['9F0D', 'Issuer Action Code - Default', 'b', 'card'],
  ['9F0E', 'Issuer Action Code - Denial', 'b', 'card'],
  ['9F0F', 'Issuer Action Code - Online', 'b', 'card'],
  ['9F10', 'Issuer Application Data (IAD)', 'b', 'card'],
  ['9F11', 'Issuer Code Table Index', 'n', 'card'],
  ['9F12', 'Application Preferred Name', 'ans', 'card'],
  ['9F13', 'Last Online Application Transaction Counter (ATC) Register', 'b', 'card'],
  ['9F14', 'Lower Consecutive Offline Limit', 'b', 'card'],
  ['9F15', 'Merchant Category Code', 'n', 'terminal'],
  ['9F16', 'Merchant Identifier', 'ans', 'terminal'],
  ['9F17', 'Personal Identification Number (PIN) Try Counter', 'b', 'card'],
  ['9F18', 'Issuer Script Identifier', 'b', 'issuer'],
  ['9F19', 'Token Requestor ID', 'n', 'card'],
  ['9F1A', 'Terminal Country Code', 'n', 'terminal'],
  ['9F1B', 'Terminal Floor Limit', 'b', 'terminal'],
  ['9F1C', 'Terminal Identification', 'an', 'terminal'],
  ['9F1D', 'Terminal Risk Management Data', 'b', 'terminal'],
  ['9F1E', 'Interface Device (IFD) Serial Number', 'an', 'terminal'],
  ['9F1F', 'Track 1 Discretionary Data', 'ans', 'card', 'sensitive'],
  ['9F20', 'Track 2 Discretionary Data', 'cn', 'card', 'sensitive'],
  ['9F21', 'Transaction Time', 'n', 'terminal'],
  ['9F22', 'Certification Authority Public Key Index (terminal)', 'b', 'terminal'],
  ['9F23', 'Upper Consecutive Offline Limit', 'b', 'card'],
  ['9F24', 'Payment Account Reference (PAR)', 'an', 'card'],
  ['9F25', 'Last 4 Digits of PAN', 'n', 'card'],
  ['9F26', 'Application Cryptogram', 'b', 'card'],
  ['9F27', 'Cryptogram Information Data (CID)', 'b', 'card'],
  ['9F29', 'Extended Selection', 'b', 'card'],
  ['9F2A', 'Kernel Identifier', 'b', 'card'],
  ['9F2D', 'ICC PIN Encipherment Public Key Certificate', 'b', 'card'],
  ['9F2E', 'ICC PIN Encipherment Public Key Exponent', 'b', 'card'],
  ['9F2F', 'ICC PIN Encipherment Public Key Remainder', 'b', 'card'],
];

/** EMV Book 3 Annex A, tags 9F30 to 9F4F. */
const TAGS_9F_HIGH: readonly Row[] = [
  ['9F30', 'Biometric Terminal Capabilities', 'b', 'terminal'],
  ['9F31', 'Card BIT Group Template', 'b', 'card'],
  ['9F32', 'Issuer Public Key Exponent', 'b', 'card'],
  ['9F33', 'Terminal Capabilities', 'b', 'terminal'],
  ['9F34', 'Cardholder Verification Method (CVM) Results', 'b', 'terminal'],
  ['9F35', 'Terminal Type', 'n', 'terminal'],
  ['9F36', 'Application Transaction Counter (ATC)', 'b', 'card'],
  ['9F37', 'Unpredictable Number', 'b', 'terminal'],
  ['9F38', 'Processing Options Data Object List (PDOL)', 'dol', 'card'],
  ['9F39', 'Point-of-Service (POS) Entry Mode', 'n', 'terminal'],
  ['9F3A', 'Amount, Reference Currency', 'b', 'terminal'],
  ['9F3B', 'Application Reference Currency', 'n', 'card'],
  ['9F3C', 'Transaction Reference Currency Code', 'n', 'terminal'],
  ['9F3D', 'Transaction Reference Currency Exponent', 'n', 'terminal'],
  ['9F40', 'Additional Terminal Capabilities', 'b', 'terminal'],
  ['9F41', 'Transaction Sequence Counter', 'n', 'terminal'],
  ['9F42', 'Application Currency Code', 'n', 'card'],
  ['9F43', 'Application Reference Currency Exponent', 'n', 'card'],
  ['9F44', 'Application Currency Exponent', 'n', 'card'],
  ['9F45', 'Data Authentication Code', 'b', 'card'],
  ['9F46', 'ICC Public Key Certificate', 'b', 'card'],
  ['9F47', 'ICC Public Key Exponent', 'b', 'card'],
  ['9F48', 'ICC Public Key Remainder', 'b', 'card'],
  ['9F49', 'Dynamic Data Authentication Data Object List (DDOL)', 'dol', 'card'],
  ['9F4A', 'Static Data Authentication Tag List', 'tags', 'card'],
  ['9F4B', 'Signed Dynamic Application Data', 'b', 'card'],
  ['9F4C', 'ICC Dynamic Number', 'b', 'card'],
  ['9F4D', 'Log Entry', 'b', 'card'],
  ['9F4E', 'Merchant Name and Location', 'ans', 'terminal'],
  ['9F4F', 'Log Format', 'dol', 'card'],
];

/** Contactless and proprietary tags whose meaning differs little between kernels. */
const CONTACTLESS: readonly Row[] = [
  ['9F50', 'Offline Accumulator Balance', 'n', 'card'],
  ['9F51', 'Application Currency Code / DRDOL', 'b', 'card'],
  ['9F52', 'Application Default Action (ADA)', 'b', 'card'],
  ['9F53', 'Transaction Category Code', 'b', 'terminal'],
  ['9F54', 'Cumulative Total Transaction Amount Limit', 'n', 'card'],
  ['9F5A', 'Application Program Identifier', 'b', 'card'],
  ['9F5B', 'Issuer Script Results', 'b', 'terminal'],
  ['9F5C', 'Data Storage Operator Identifier', 'b', 'terminal'],
  ['9F5D', 'Available Offline Spending Amount / Application Capabilities Information', 'b', 'card'],
  ['9F5E', 'Data Storage Identifier', 'b', 'card'],
  ['9F60', 'CVC3 (Track 1)', 'b', 'card', 'sensitive'],
  ['9F61', 'CVC3 (Track 2)', 'b', 'card', 'sensitive'],
  ['9F62', 'PCVC3 (Track 1)', 'b', 'card'],
  ['9F63', 'PUNATC (Track 1)', 'b', 'card'],
  ['9F64', 'NATC (Track 1)', 'b', 'card'],
  ['9F65', 'PCVC3 (Track 2)', 'b', 'card'],
  ['9F66', 'Terminal Transaction Qualifiers (TTQ) / PUNATC (Track 2)', 'b', 'terminal'],
  ['9F67', 'NATC (Track 2)', 'b', 'card'],
  ['9F68', 'Card Additional Processes', 'b', 'card'],
  ['9F69', 'Card Authentication Related Data / UDOL', 'b', 'card'],
  ['9F6A', 'Unpredictable Number (Numeric)', 'n', 'terminal'],
  ['9F6B', 'Track 2 Data', 'b', 'card', 'sensitive'],
  ['9F6C', 'Card Transaction Qualifiers (CTQ)', 'b', 'card'],
  ['9F6D', 'Mag-magstripe Application Version Number / Contactless Reader Capabilities', 'b', 'terminal'],
  ['9F6E', 'Form Factor Indicator / Third Party Data', 'b', 'card'],
  ['9F7C', 'Customer Exclusive Data / Merchant Custom Data', 'b', 'card'],
  ['9F7E', 'Mobile Support Indicator', 'b', 'terminal'],
  ['DF4B', 'POS Cardholder Interaction Information', 'b', 'card'],
  ['DF8104', 'Balance Read Before Generate AC', 'n', 'kernel'],
  ['DF8105', 'Balance Read After Generate AC', 'n', 'kernel'],
  ['DF8108', 'Data Storage AC Type', 'b', 'kernel'],
  ['DF810C', 'Kernel ID', 'b', 'terminal'],
  ['DF8115', 'Error Indication', 'b', 'kernel'],
  ['DF8116', 'User Interface Request Data', 'b', 'kernel'],
  ['DF8117', 'Card Data Input Capability', 'b', 'terminal'],
  ['DF8118', 'CVM Capability - CVM Required', 'b', 'terminal'],
  ['DF8119', 'CVM Capability - No CVM Required', 'b', 'terminal'],
  ['DF811A', 'Default UDOL', 'dol', 'terminal'],
  ['DF811B', 'Kernel Configuration', 'b', 'terminal'],
  ['DF811C', 'Max Lifetime of Torn Transaction Log Record', 'b', 'terminal'],
  ['DF811D', 'Max Number of Torn Transaction Log Records', 'b', 'terminal'],
  ['DF811E', 'Mag-magstripe CVM Capability - CVM Required', 'b', 'terminal'],
  ['DF811F', 'Security Capability', 'b', 'terminal'],
  ['DF8120', 'Terminal Action Code - Default', 'b', 'terminal'],
  ['DF8121', 'Terminal Action Code - Denial', 'b', 'terminal'],
  ['DF8122', 'Terminal Action Code - Online', 'b', 'terminal'],
  ['DF8123', 'Reader Contactless Floor Limit', 'n', 'terminal'],
  ['DF8124', 'Reader Contactless Transaction Limit (No On-device CVM)', 'n', 'terminal'],
  ['DF8125', 'Reader Contactless Transaction Limit (On-device CVM)', 'n', 'terminal'],
  ['DF8126', 'Reader CVM Required Limit', 'n', 'terminal'],
  ['DF812C', 'Mag-magstripe CVM Capability - No CVM Required', 'b', 'terminal'],
  ['DF8129', 'Outcome Parameter Set', 'b', 'kernel'],
  ['DF812A', 'DD Card (Track 1)', 'ans', 'card', 'sensitive'],
  ['DF812B', 'DD Card (Track 2)', 'b', 'card', 'sensitive'],
  ['DF812D', 'Message Hold Time', 'n', 'terminal'],
];

/** Every tag that the dictionary knows, in the order of its sections. */
export const EMV_TAGS: readonly TagInfo[] = [
  ...TEMPLATES,
  ...ONE_BYTE,
  ...TAGS_5F,
  ...TAGS_9F_LOW,
  ...TAGS_9F_HIGH,
  ...CONTACTLESS,
].map(([tag, name, format, source, sensitive]) => ({
  tag,
  name,
  format,
  source,
  sensitive: sensitive === 'sensitive',
}));

const BY_TAG: ReadonlyMap<string, TagInfo> = new Map(EMV_TAGS.map((info) => [info.tag, info]));

/** What the dictionary knows of a tag (uppercase hex); `undefined` for an unknown one. */
export function tagInfo(tag: string): TagInfo | undefined {
  return BY_TAG.get(tag);
}

/** Whether a value of this tag may not be shown or logged in clear. */
export function isSensitiveTag(tag: string): boolean {
  return BY_TAG.get(tag)?.sensitive ?? false;
}
