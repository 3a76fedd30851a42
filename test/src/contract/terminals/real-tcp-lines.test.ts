import { describeRealLines } from './real-line.js';

describeRealLines('tcp');
