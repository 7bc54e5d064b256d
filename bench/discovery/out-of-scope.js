// Requests that no tool in a catalogue of business apps can serve, as people ask an assistant; written for this bench.
const groups = {
  'general knowledge': `
    Why is the sky blue?
    Who painted the ceiling of the Sistine Chapel?
    How many moons does Jupiter have?
    What is the difference between a crocodile and an alligator?
    When did the Berlin Wall come down?
    Explain photosynthesis to a ten year old
    Which language do they speak in Suriname?
    What causes the northern lights?
    Who was the first woman to win a Nobel prize?
    How deep is the Mariana Trench?
    Why do cats purr?
    What does the word petrichor mean?
    How do vaccines train the immune system?
    What was the Peace of Westphalia about?
    Is a tomato a fruit or a vegetable?
    Why did the Roman Empire fall?
    How long does light take from the sun to us?
    What is the capital of Burkina Faso?
    Who wrote One Hundred Years of Solitude?
    What makes bread rise?
    How is whisky aged?
    Why does ice float on water?
    What is the plural of octopus?
    Tell me what a black hole is
    Which animals hibernate in winter?`,
  chat: `
    hi there
    good morning, how are you today?
    thanks, that was very kind of you
    are you a robot or a human?
    what is your favourite colour?
    tell me a joke
    do you ever get bored?
    who made you?
    never mind, forget it
    that's not what I meant
    lol you're funny
    what do you think about God?
    can you keep a secret?
    ok bye, talk to you tomorrow
    I don't believe you
    you already said that
    what would you do if you won the lottery?
    guess how old I am
    sing me something
    tell me something I don't know`,
  'in the house': `
    Wash the dishes before my mother arrives
    How do I get red wine out of a white shirt?
    Water the tomatoes on the balcony
    My dishwasher smells of rotten eggs, what can I do?
    Iron my blue shirt for tonight
    How often should I change bed sheets?
    Walk the dog around the block
    Fix the dripping tap in the bathroom
    What can I cook from two eggs, rice and an old carrot?
    Vacuum the stairs
    How do I sharpen a kitchen knife?
    Take the rubbish out on Thursday night
    The toilet is blocked, help
    Feed the neighbour's hamster while they are away
    How long do I boil an egg so that it stays soft?
    My basil keeps dying on the windowsill
    Peel three kilos of potatoes
    What is the best way to fold a fitted sheet?
    Paint the fence green
    How do I keep moths out of my wardrobe?`,
  feelings: `
    I feel lonely since I moved here
    My boyfriend broke up with me and I can't stop crying
    How do I tell my father that I don't want to study law?
    I am nervous about my wedding
    Why am I always so tired in spring?
    My best friend ignores me, what did I do wrong?
    I can't fall asleep because I keep thinking
    Cheer me up a little
    Am I a bad mother?
    I lost my grandmother last week
    How do I stop being jealous?
    I hate Mondays
    Should I forgive my sister?
    I am proud of my little brother, he learned to swim
    How does one get over a broken heart?`,
  'arithmetic in words': `
    what is seventeen times twenty four
    If I have three apples and eat one, how many are left?
    What is half of a third?
    A train goes eighty kilometres an hour, how far does it get in two hours and a half?
    how much is fifteen percent of two hundred and forty
    Is ninety seven a prime number?
    What comes next: one, one, two, three, five, eight?
    Divide a hundred and forty four by twelve
    How many seconds are in a day?
    If five cats catch five mice in five minutes, how long do a hundred cats need for a hundred mice?
    what's the square root of eighty one
    My age is twice hers and together we are sixty, how old am I?`,
  writing: `
    Write a poem about autumn leaves
    Make up a bedtime story about a dragon who is afraid of fire
    A haiku about coffee, please
    Rewrite this sentence in the style of Shakespeare: I am hungry
    Find a rhyme for orange
    Give me a funny toast for my uncle's sixtieth birthday
    Write the first paragraph of a crime novel set in Lisbon
    What is a good name for a parrot?
    Describe the smell of rain without using the word wet
    Write a limerick about a man from Leeds
    Turn this into a fairy tale: a frog misses the bus
    Invent a superhero whose power is patience
    Write song lyrics about a lost umbrella
    Is it who or whom in this sentence?
    Give me five synonyms for happy`,
  'body and sport': `
    How many push-ups should a beginner do?
    My knee hurts when I walk down stairs
    What stretches help against a stiff neck?
    How do I learn to juggle?
    Is it bad to crack one's knuckles?
    What should I eat before a marathon?
    Teach me to whistle with two fingers
    How do I hold my breath for longer?
    Why do I get hiccups?
    How do I float on my back?
    Does garlic help against a cold?
    Is eight hours of sleep really necessary?`,
  'out and about': `
    What should I wear to a funeral in summer?
    Is it rude to tip in Japan?
    How do I parallel park?
    Catch that bus for me
    What do I say when I meet the queen?
    Which side of the plate does the fork go on?
    Pick my daughter up from kindergarten
    Bring me a cup of tea
    Open the window, it is stuffy in here
    How do I pitch a tent in the rain?
    What is the best knot for tying a boat?
    How do I find north without a compass?
    Carry these boxes to the third floor
    What do badgers eat?
    How do I get a splinter out of my thumb?`,
  'puzzles and opinions': `
    What walks on four legs in the morning and on two at noon?
    Should pineapple be on pizza?
    If a tree falls and nobody is there, does it make a sound?
    Which is heavier, a kilo of feathers or a kilo of lead?
    Is free will an illusion?
    Would you rather fly or be invisible?
    Were the Beatles better than the Stones?
    Can a fish drown?
    What is the meaning of life?
    Is it ever right to lie?
    Who would win, a bear or a gorilla?
    Why did the chicken cross the road?
    Is cereal a soup?
    What came first, the egg or the hen?
    Does the past exist?`,
};

/** `{ group, text }`. */
export const outOfScope = Object.entries(groups).flatMap(([group, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => ({ group, text: line.trim() })),
);
