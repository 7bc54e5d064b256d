// What people ask of the bundled tools, as they type it: written for this bench; training never sees it. A line is
// a request and the tools that serve it.
import { readRequests } from './read-requests.js';

const lines = `
multiply 17 by 23 | math/calculate
what's 19% of 2350 | math/calculate
split 486.50 between seven people | math/calculate
is 2 to the 20th more than a million? | math/calculate
add up 12.99, 4.50 and 31 | math/calculate
keep the number 4711 under "locker" | key_value/key_value_set
what did I put under "locker"? | key_value/key_value_get
drop the entry "locker", I don't need that key any more | key_value/key_value_delete
what does api.github.com/zen answer | http/fetch_url
do a POST to https://example.com/orders with this json | http/fetch_url
is the status page at status.example.org up? | http/fetch_url,browser/fetch_page
the last answer was cut off, give me the rest of it | results/result_read
page through the long result you stored | results/result_read
who are the agents around here? | platform/list_agents
I want a second assistant that only does invoices, make one | platform/create_agent
what is the researcher allowed to use? | platform/list_grants
let the researcher use the calendar, ask whoever has to say yes | platform/propose_grant
which of my accounts are hooked up? | platform/list_connections
hook up my Dropbox | platform/connect_app
what's in notes.txt | files/read_file
show me the config file | files/read_file
jot "buy oat milk" down in shopping.txt | files/write_file
put this summary in a file called summary.md | files/write_file
tack one more line onto the end of log.txt | files/write_file
what's in the reports folder? | files/list_dir
ls | files/list_dir
make me a folder for the tax papers | files/create_directory
mkdir -p archive/2025 | files/create_directory
get rid of old-draft.md | files/delete_file
trash the whole tmp folder | files/delete_file
rename draft.md to final.md | files/move_file
put logo.png into the assets folder | files/move_file
how big is backup.zip? | files/file_info
when was budget.xlsx last touched? | files/file_info
where do we say "TODO" in these files? | files/search_files
find all the .csv files | files/search_files
grep for password in src | files/search_files
drop Anna a mail that I'll be late | email/send_email,smtp/send_smtp_email
write to bob@example.com that the parcel came | email/send_email,smtp/send_smtp_email
shoot an e-mail to the whole team about friday | email/send_email,smtp/send_smtp_email
mail the report to Clara with the pdf attached | smtp/send_smtp_email,email/send_email
fire the deploy hook with version 1.4 | webhook/webhook
notify our zap endpoint that the job is done | webhook/webhook
google the best hiking boots of this year | web_search/web_search
look up online who won the match yesterday | web_search/web_search
what's new about fusion power? | web_search/web_search
find me some pictures of lighthouses | web_search/image_search
photos of red pandas please | web_search/image_search
run git status | shell/run_command
execute ffmpeg on clip.mov | shell/run_command
restart nginx on the web server | ssh/run_ssh_command
log in to the box in the cellar and see how full the disk is | ssh/run_ssh_command
read me the article at example.com/news/42 | browser/fetch_page
what does this page say: https://example.org/terms | browser/fetch_page,http/fetch_url
show me what our homepage looks like right now | browser/take_screenshot
snap a picture of example.com | browser/take_screenshot
run this little javascript for me | code/execute_code
sort these 500 rows with a script | code/execute_code
I need lodash in my script | code/install_package
npm i zod | code/install_package
turn these notes into a pdf | documents/create_document
make slides about our third quarter | documents/create_document
I need this table as an excel file | documents/create_document
a word document with the minutes, please | documents/create_document
select count(*) from orders where paid = false | database/query_database
run this SQL for me | database/query_database
how many customers signed up last month according to our db? | database/smart_query_database
which product sold best, ask the database | database/smart_query_database
what columns does the orders table have? | database/describe_database
which tables are there? | database/describe_database
put this xml in the collection "contracts" | librarian/librarian_store
show me the xml document /contracts/2024/lease.xml | librarian/librarian_get
run this xquery over everything | librarian/librarian_query
which xml documents mention the word penalty? | librarian/librarian_search
what xml files are in the collection contracts? | librarian/librarian_list
throw out the xml document /contracts/old.xml | librarian/librarian_delete
learn this handbook so I can ask you about it | knowledge/ingest_document
take in everything in the manuals folder | knowledge/ingest_files
what have you read so far? | knowledge/list_knowledge
unlearn the old handbook | knowledge/remove_knowledge
what does our handbook say about parental leave? | knowledge/search_knowledge,knowledge/semantic_search,knowledge/search_multimodal
anything in our papers that means the same as "force majeure"? | knowledge/semantic_search,knowledge/search_knowledge
where is the function parseInvoice defined? | knowledge/search_codebase,files/search_files
which class handles login in our code base? | knowledge/search_codebase
is there a table with the prices of last year in the documents? | knowledge/search_tables
the diagram of the cooling system, which document was it in? | knowledge/search_images
where in the papers is the formula for compound interest? | knowledge/search_formulas
all you have on turbines, text, figures and tables | knowledge/search_multimodal,knowledge/search_knowledge
keep in mind that I'm vegetarian | memory/remember
from now on call me Sam, and don't forget it | memory/remember
do you still know what I like to eat? | memory/recall
what did I tell you about my sister? | memory/recall
you can forget where I used to live | memory/forget
that my name is Tom is wrong, wipe it from your memory | memory/forget
tell the family group on telegram that we landed | telegram/send_telegram_message
ping me on telegram when it's done | telegram/send_telegram_message
lies mir die Datei notizen.txt vor | files/read_file
rechne 12 mal 48 aus | math/calculate
borra el archivo viejo.txt | files/delete_file
busca en internet vuelos a Lisboa | web_search/web_search
crée un dossier pour les factures | files/create_directory
envoie un mail à Paul pour dire que c'est prêt | email/send_email,smtp/send_smtp_email
cerca immagini di gatti | web_search/image_search
lembra que eu não como carne | memory/remember
hernoem rapport.md naar eindrapport.md | files/move_file
帮我算一下 17 乘 23 | math/calculate
把这段话写到 notes.txt 里 | files/write_file
ファイル一覧を見せて | files/list_dir
このページのスクリーンショットを撮って | browser/take_screenshot
dlete the file old.txt | files/delete_file
serach the web for cheap flihgts | web_search/web_search
calcualte 15 % of 80 | math/calculate
creat a foldr for receipts | files/create_directory`;

/** `{ text, relevant }`; the ids are those of the index, `toolkit/tool`. */
export const bundledRequests = readRequests(lines);
