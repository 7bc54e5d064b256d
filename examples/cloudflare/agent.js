// What a Cloudflare Agent does in `onChatMessage`, without the class around it (see README.md).
import { convertToModelMessages, stepCountIs, streamText } from 'ai';
import { toolsFor } from 'helve/cloudflare';

export async function answer({ messages, model, env }) {
  return streamText({
    model,
    messages: await convertToModelMessages(messages),
    tools: await toolsFor({ url: env.HELVE_URL, token: env.HELVE_TOKEN }),
    stopWhen: stepCountIs(10),
  });
}
