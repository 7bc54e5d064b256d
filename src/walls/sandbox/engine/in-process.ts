/** The module of a confined process (`defineWorker`), which serves one run. */
import { computedOnce } from '../../../util/computed-once.js';
import type { ToGuest, Turn } from '../messages.js';
import { createRoom } from './room.js';

const room = computedOnce(createRoom);

export const answer = (message: ToGuest): Promise<Turn> => room().answer(message);
