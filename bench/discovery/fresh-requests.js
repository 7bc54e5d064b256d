// A second set of requests for the bundled tools and of texts that none of them serves, by other imagined people: written before
// their author had seen the first set or the training data, and half of what was written; the other half is trained with. Training
// never sees these, and nothing was changed because of one of them.
import { readRequests, readTexts } from './read-requests.js';

const requests = `
shoot a quick email to support@hosting.example about the outage | email/send_email,smtp/send_smtp_email
which columns does the table patients have and what are their types | database/describe_database
text me on telegram when the job is finished | telegram/send_telegram_message
find the figure that shows blood flow in the papers we took in | knowledge/search_images,knowledge/search_multimodal
according to the docs we loaded, how do i reset the boiler | knowledge/search_knowledge,knowledge/semantic_search,knowledge/search_multimodal
please store value 7 for max_retries, it may replace the old one | key_value/key_value_set
Welche Tabellen hat die Datenbank shop? | database/describe_database
the output got shortened, read on from where it stopped | results/result_read
convert clip.mov to mp4 using ffmpeg | shell/run_command
i need the papaparse library in the sandbox | code/install_package
Can the scout agent send mail, or hasn't it been given that? | platform/list_grants
note for the future, my boss prefers short mails | memory/remember
look for "harvest" in the poems collection | librarian/librarian_search
get me the counter we stored as retries | key_value/key_value_get
take a picture of how our homepage looks | browser/take_screenshot
email the parents that school starts at nine on monday | email/send_email,smtp/send_smtp_email
is there an agent called bookkeeper already | platform/list_agents
メモ.txt の中身を見せて | files/read_file
get rid of the tmp folder and all that is inside | files/delete_file
what databases can you reach | database/describe_database
does the file /data/keys.txt exist | files/file_info,files/list_dir,files/search_files
keep the token count 512 under the key usage.today for one hour | key_value/key_value_set
i want to see what the landing page looks like now, as an image | browser/take_screenshot
find passages similar in meaning to this sentence in our documents | knowledge/semantic_search
what documents are in the collection letters | librarian/librarian_list
how do i connect jira to this, send me where to click | platform/connect_app
whose turn is it to pay, i think i told you last week | memory/recall
show me what the xml library has got below poems | librarian/librarian_list
whats the value saved under last_invoice_number | key_value/key_value_get
have i ever mentioned how i like my reports | memory/recall
tail the syslog on our production host | ssh/run_ssh_command
execute \`git log -5\` here | shell/run_command
load all pdfs in /data/papers into the knowledge | knowledge/ingest_files
select count(*) from orders where status = 'open' | database/query_database
add this webpage text to what the workspace knows | knowledge/ingest_document
which function calculates the shipping cost in the ingested code base | knowledge/search_codebase
find the class UserSession and its line number | knowledge/search_codebase
look up key "shift:monday" in namespace ward3 | key_value/key_value_get
get the recipe from https://cooking.example/lasagne without the ads | browser/fetch_page
any news about the rail strike | web_search/web_search
install csv-parse and count the lines per country in this data | code/install_package,code/execute_code
photos of art deco shop fronts for inspiration, from the internet | web_search/image_search
from our database: the average stay of patients on ward 4 in 2025 | database/smart_query_database,database/query_database
query the open orders from the database and send the count to the telegram group | database/smart_query_database,database/query_database,telegram/send_telegram_message
envía un correo a maria@tienda.example diciendo que llego tarde | email/send_email,smtp/send_smtp_email
Would you be so kind as to save this poem as spring.md? | files/write_file
which table lists opening hours per branch in our documents | knowledge/search_tables,knowledge/search_multimodal
find the table with dosage by age in the papers | knowledge/search_tables,knowledge/search_multimodal
forget that i live in leeds, i moved | memory/forget
turn these numbers into an excel sheet with a chart | documents/create_document
show me the rest of that long result, it was cut off | results/result_read
i want pdf file with this text, how make | documents/create_document
faz um pdf com este texto | documents/create_document
Which setting did we put under the key theme? | key_value/key_value_get
take a screenshot of our shop and mail it to the designer | browser/take_screenshot,email/send_email,smtp/send_smtp_email
grep TODO in the src folder | files/search_files,knowledge/search_codebase,shell/run_command
trigger the incoming webhook of the ops channel with the text backup ok | webhook/webhook
invoice as pdf for Mr Okafor, 3 hours at 60 | documents/create_document
save the TEI document below as /poems/ode.xml in the library | librarian/librarian_store
google how other schools handle phone bans | web_search/web_search
put this xml letter into the collection letters/1890 | librarian/librarian_store
when was budget.xlsx last changed | files/file_info
stuur een mail naar jan@bedrijf.example dat de vergadering niet doorgaat | email/send_email,smtp/send_smtp_email
look online for reviews of the Brother HL-L2400 | web_search/web_search
if i charge 1450 net how much is it with 21% vat on top | math/calculate
where in the code is parseInvoice defined | knowledge/search_codebase
see what the handbook says about overtime and put it in a word document | knowledge/search_knowledge,knowledge/semantic_search,knowledge/search_multimodal,documents/create_document
ping our webhook at https://hooks.example.com/deploys with {"state":"done"} | webhook/webhook
show me the schema of the crm db | database/describe_database
does http://status.example.net/health return a 200 right now? | http/fetch_url
is there a diagram of the pump in the manuals | knowledge/search_images,knowledge/search_multimodal
que ficheiros há na pasta relatorios | files/list_dir
clear whatever is stored under usage.today | key_value/key_value_delete
curl https://api.github.com/zen for me | http/fetch_url
total up column b: 44.2 51.9 60 38.75 | math/calculate
our mate who runs the webserver box says the disk is full, can you have a look on there | ssh/run_ssh_command
save {"open":"9:00"} with key shop_hours | key_value/key_value_set
put this text into a file called shopping.txt: milk, eggs, bread | files/write_file
look for a row with "Antwerp" in the tables of the reports | knowledge/search_tables,knowledge/search_multimodal
remember that i am allergic to penicillin | memory/remember
fire off the build-finished hook | webhook/webhook
which document has E = mc^2 in it | knowledge/search_formulas,knowledge/search_multimodal
What does the page https://helve.example/pricing say about refunds? | browser/fetch_page
what is 18% tip on 84.60 split by five | math/calculate
remove draft2.docx pls | files/delete_file
sort this list of names by surname and remove duplicates: | code/execute_code
powerpoint with five slides on photosynthesis for year 8 | documents/create_document
quanto fa 145 diviso 5 | math/calculate
what sources does the knowledge base have so far | knowledge/list_knowledge
overwrite settings.ini with what i paste below | files/write_file
i wants to know 250 devided by 12 | math/calculate
xquery: for $o in //order where $o/@id > 3 return $o | librarian/librarian_query
where did i put the pdf with the word warranty in its name | files/search_files,files/list_dir
throw away old_backup.zip | files/delete_file
Hello! I hope you are well. I would like the figures below to be put in a spreadsheet file that I can open in Excel. Thank you ever so much. | documents/create_document
lis le fichier notes.txt | files/read_file
私がコーヒー好きだと覚えておいて | memory/remember
whats the weather in Lyon tomorow | web_search/web_search
plese delet file test1.txt | files/delete_file
link my Notion account | platform/connect_app
what tools is the coder agent allowed to use | platform/list_grants
what does paracetamol syrup 120ml cost at the moment in uk pharmacies | web_search/web_search
show me what a 1967 Fiat 500 looks like | web_search/image_search
remember that the server is called atlas, then check its uptime | memory/remember,ssh/run_ssh_command
write down the lesson plan to plans/week12.md | files/write_file
show the stored xml of order 4 | librarian/librarian_get
drop Tom a mail with the report attached | email/send_email,smtp/send_smtp_email
delete /orders/4.xml from the xml library | librarian/librarian_delete
what headers does https://example.org send back | http/fetch_url
list the agents and create one called helper2 if it is missing | platform/list_agents,platform/create_agent
which of my accounts are hooked up here | platform/list_connections
Please be so good and send a message to the accountant at tax@firma.example, subject Receipts, saying that everything is attached. | email/send_email,smtp/send_smtp_email
get me the xml document /letters/1890/12.xml | librarian/librarian_get
给 li@gongsi.example 发一封邮件说我明天请假 | email/send_email,smtp/send_smtp_email
i need a picture of the human heart for my slides | web_search/image_search
find me pictures of a barn owl | web_search/image_search
list all xml docs under /orders | librarian/librarian_list
wat is in the foldr pictures | files/list_dir
whats the uptime of the machine db2 | ssh/run_ssh_command
create directories photos/2026/easter | files/create_directory
send a DELETE request to https://api.acme.test/orders/55 with my bearer token in the header | http/fetch_url
check who won the election in peru and write it to a text file | web_search/web_search,files/write_file
add the npm module zod so that my program can import it | code/install_package
maak een screenshot van https://winkel.example | browser/take_screenshot
who is prime minister of japan at the moment | web_search/web_search
この文章をPDFにしてください | documents/create_document
what does /data/config.yaml say | files/read_file
the 2019 handbook shouldnt be in the knowledge any more | knowledge/remove_knowledge
read this article and tell me the main points https://www.theguardian.com/science/some-story | browser/fetch_page
Next part of the stored result please | results/result_read
what does our handbook say about sick leave | knowledge/search_knowledge,knowledge/semantic_search,knowledge/search_multimodal
which pictures in our documents have captions about bridges | knowledge/search_images,knowledge/search_multimodal
where do the ingested papers use the quadratic formula | knowledge/search_formulas,knowledge/search_multimodal
is 2**89-1 bigger than 10**27 | math/calculate
open notes.txt and tell me whats in it | files/read_file
whats in the reports folder | files/list_dir
souviens-toi que je suis végétarienne | memory/remember`;
const others = `
buy two tickets for the concert
clear the table after dinner
put dentist on my calendar for tuesday at 3
run 5 km with me tomorrow
find me a parking spot and pay for it
what is the capital of mongolia
help me understand fractions
like her latest post
could you carry these boxes to the third floor
mark the task groceries as done
summarize the plot of hamlet
tidy up the children's room
take the bins out on wednesday
why do cats purr
come up with a name for my bakery
rewrite this paragraph in a friendlier tone
water the plants while im away
what is the meaning of life
cancel my gym membership
sweep the floor and take out the rubbish
do you like football
shelve the returned library books
cook dinner tonight
fix the leaking tap
hang the picture above the fireplace
move the sofa closer to the window
iron my shirt
whats the plural of ox
follow back everyone on instagram
reserve a hotel near the beach
pick up the kids from school
who painted the mona lisa
file these papers in the cabinet downstairs
is it ok to eat eggs every day
what is a good way to learn guitar
explain the difference between a virus and a bacterium
measure the window in the hall
book me a table for two at Luigi's on friday
what should i wear to a funeral
write a haiku about autumn
i feel lonely today
thank you so much, that was great
pay the electricity bill
how many legs has a spider
add milk to my shopping list in the kitchen app
start a video call with mum
transfer 50 euros to Ana
when did the second world war end
tell me a joke
hold the door please
set the thermostat to 20 degrees
text my sister that i'm on my way
who wrote don quixote
which is heavier a kilo of feathers or a kilo of iron
close the window its cold
post this letter at the post office
translate "good night" into swahili
change the bandage on bed 4
order a large pizza with extra cheese`;

/** `{ text, relevant }`; the ids are those of the index, `toolkit/tool`. */
export const freshRequests = readRequests(requests);

/** `{ text }`: chores, questions, and what needs another app. */
export const freshOutOfScope = readTexts(others);
