import { BERTLV_OPS } from './ops/bertlv.js';
import { CVV_PVV_OPS } from './ops/cvv-pvv.js';
import { DUKPT_AES_OPS } from './ops/dukpt-aes.js';
import { DUKPT_TDES_OPS } from './ops/dukpt-tdes.js';
import { EMV_ARQC_ARPC_OPS } from './ops/emv-cryptograms.js';
import { EMV_CAPK_OPS, EMV_ODA_OPS } from './ops/emv-oda.js';
import { EMV_CVN_SCRIPTS_OPS } from './ops/emv-scripts.js';
import type { TopicOps } from './ops/inputs.js';
import { ISO8583_OPS } from './ops/iso8583.js';
import { MAC_KCV_OPS } from './ops/mac-kcv.js';
import { PINBLOCK_OPS } from './ops/pinblock.js';
import { SRED_OPS } from './ops/sred.js';
import { TR31_OPS } from './ops/tr31.js';
import { VAULT_OPS } from './ops/vault.js';
import { WALLET_OPS } from './ops/wallet.js';

/** Every operation of every topic of test/vectors/README.md. */
export const TOPICS: Readonly<Record<string, TopicOps>> = {
  bertlv: BERTLV_OPS,
  'cvv-pvv': CVV_PVV_OPS,
  'dukpt-aes': DUKPT_AES_OPS,
  'dukpt-tdes': DUKPT_TDES_OPS,
  'emv-arqc-arpc': EMV_ARQC_ARPC_OPS,
  'emv-capk': EMV_CAPK_OPS,
  'emv-cvn-scripts': EMV_CVN_SCRIPTS_OPS,
  'emv-oda': EMV_ODA_OPS,
  iso8583: ISO8583_OPS,
  'mac-kcv': MAC_KCV_OPS,
  pinblock: PINBLOCK_OPS,
  sred: SRED_OPS,
  tr31: TR31_OPS,
  'vault-aes-gcm': VAULT_OPS,
  wallet: WALLET_OPS,
};
