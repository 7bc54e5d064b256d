// Requests with what their caller has connected: the right toolkits and nine others, drawn the same way in every run.
import { draw, numbersFrom } from './random.js';

const seed = 20_261_122;
const others = 9;

/** Adds `connected` to each request: toolkits from all there are, or from those that the requests are about. */
export function withConnected(tools, requests, from) {
  const appOf = new Map(tools.map(({ id, toolkit }) => [id, toolkit]));
  const appsOf = ({ relevant }) => [...new Set(relevant.map((id) => appOf.get(id)).filter(Boolean))];
  const named = from === 'all' ? [...appOf.values()] : requests.flatMap(appsOf);
  const apps = [...new Set(named)].sort();
  const below = numbersFrom(seed);
  return requests.map((request) => {
    const right = appsOf(request);
    return { ...request, connected: [...right, ...draw(below, apps, others, right)] };
  });
}

/** The ways to tell the index what is connected. */
export const ways = {
  'context connected': (connected) => ({ context: { connected } }),
  'context granted and connected': (connected) => ({ context: { granted: connected, connected } }),
  toolkits: (connected) => ({ toolkits: connected }),
};
