import { describeRealLines } from './real-line.js';

describeRealLines('serial');
