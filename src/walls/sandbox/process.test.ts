import { sandboxContract } from './testing/sandbox-contract.js';

sandboxContract('process');
