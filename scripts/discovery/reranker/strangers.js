// Requests that no tool can serve: questions about the world and chores, made from templates and words that are drawn at random.
const forms = [
  'What is {}?',
  'Who invented the {}?',
  'Tell me about {} and {}',
  'Explain the difference between {} and {}',
  'Why do people like {}?',
  'How do I repair a broken {}?',
  'Write a poem about {}',
  'How tall is the {}?',
  'What does {} mean in {}?',
  'Is it healthy to eat {} with {}?',
  'Tell me a joke about a {}',
  'What year did the {} happen?',
  'Can {} swim?',
  'What is the best {} for a {}?',
  'I feel sad about my {}',
  'Fold the {} and iron the {}',
  'Cook {} with {} for dinner',
  'Give me tips for a {} in {}',
  'How are you today, my {}?',
  'What are the main causes of {}?',
  'Which {} is the fastest in the world?',
  'Describe the history of {} in {}',
  'How far is {} from {}?',
  'Should I wear a {} tomorrow?',
  'Summarize the plot of {}',
  'Recommend a good {} about {}',
  'Water my {} and feed the {}',
  'Who was the first {} of {}?',
  'How many {} are in a {}?',
  'Teach me to play the {}',
];

export function makeStranger(words, luck) {
  return luck.pick(forms).replace(/\{\}/g, () => luck.pick(words));
}
