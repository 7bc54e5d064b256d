/** Portuguese verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const portuguese: LanguageData = {
  functions: `
    the o os as, a um uma uns umas, of de do da dos das, in em no na nos nas, to a ao aos para pra pro, for por pelo pela,
    with com, from desde, and e, or ou, then depois entao, my meu minha meus minhas, our nosso nossa nossos nossas, this
    este esta isto esse essa isso neste nesta nesse nessa, these estes estas esses essas, that que aquele aquela, all todos
    todas todo toda, me me mim, i eu, is é e_um esta sao ha existe, not nao nem, if se, about sobre, between entre, without
    sem, what qual quais, who quem, when quando, how como, where onde, your seu sua seus suas teu tua, please por_favor,
    want quero queria preciso gostaria pode poderia voce voces consegue tenho tem, it lhe, also tambem alem, until ate, now agora ja ainda ta foi vai aqui desse dessa dele dela eles, only so somente apenas, more mais, how_many quantos quantas quanto quanta, be ser estar estao, we nos, us gente,
    but mas, he ele ela elas, very muito, who alguem ninguem, was foram era estava estou to, same mesmo mesma, why
    por_que porque, where cade, there la ali ai, each cada, have tinha tem_que, so bem, before antes, after depois_de,
    all tudo, let deixa deixe, the num numa nuns dum duma, them deles delas,
    always sempre, something algo alguma_coisa, everyone todo_mundo cada_um, nothing nada, before antes_de, during durante,
    against contra, under embaixo debaixo, above em_cima, below abaixo, inside la_dentro dentro, outside la_fora fora, back
    de_volta, away embora, down para_baixo, up para_cima, too demais, less menos, enough suficiente, almost quase, soon
    em_breve, immediately imediatamente ja_ja, quickly rapido depressa, maybe talvez, about mais_ou_menos, together juntos,
    first primeiro primeira primeiros, second segunda_vez, third terceiro terceira, once uma_vez, again de_novo outra_vez,
    other outro outra outros, many muitos muitas, some alguns algumas, both ambos, whole inteiro inteira, most a_maioria,
    thanks obrigado obrigada valeu, hello ola oi, ok beleza, yes sim, can podem podemos, should deveria, had tinham, done
    feito feita, later mais_tarde, ago atras, until_now ate_agora, instead em_vez_de no_lugar_de, just so_um, mine o_meu, us
    a_gente, one um_so,
    have temos tem_ai, is ficou fica ficam, went vou ia, was tava, and q, who qem kem, please pf pfv pfvr, already
    ja_foi, very tao, some algum, for pras pros, once vez, any qualquer, half meia, how_much quanto_custa quanto_foi,
    how_many quantas_vezes quantos_sao, now agora_mesmo, everybody a_galera, sir seu_ze, must devo devem, until ate_que,
    friday sexta, monday segunda, wednesday quarta, thursday quinta`,
  verbs: `
    create preparar, create criar gerar montar fazer faça faca, add adicionar acrescentar incluir inserir colocar coloque por ponha, delete
    apagar excluir deletar eliminar exclua, remove remover tirar retirar, update atualizar modificar editar corrigir corrija
    alterar, change mudar trocar, rename renomear, set definir configurar, send enviar mandar envie, reply responder
    responda, forward encaminhar reencaminhar, show mostrar mostre exibir ver veja vejo olhar visualizar, get obter obtenha
    pegar pegue buscar_os consultar trazer traga dar de_me saber conhecer recuperar, list listar enumerar liste, search
    procurar pesquisar buscar busque pesquise, find encontrar achar localizar ache, open abrir abra, read ler leia le,
    download baixar descarregar transferir_para_baixo baixe, upload subir carregar suba enviar_arquivo, export exportar,
    import importar, move mover passar mova, copy copiar copie, duplicate duplicar, share compartilhar partilhar, invite
    convidar, assign atribuir designar atribua, close fechar feche encerrar, complete completar concluir conclua terminar
    finalizar, mark marcar marque, cancel cancelar anular desmarcar, archive arquivar arquive, restore restaurar, publish
    publicar publique, post postar, schedule agendar programar marcar_uma, reschedule reagendar adiar remarcar, start
    iniciar começar comecar lançar, stop parar interromper, pause pausar, resume retomar, run executar rodar, enable ativar
    habilitar ligar, disable desativar desabilitar desligar, approve aprovar, reject rejeitar recusar, accept aceitar, merge
    mesclar juntar unir, lock bloquear trancar, unlock desbloquear, subscribe assinar inscrever, unsubscribe
    descadastrar cancelar_inscricao, follow seguir siga, like curtir, pay pagar pague, charge cobrar, refund
    reembolsar estornar devolver, buy comprar, order pedir peça encomendar, book reservar, check verificar conferir checar,
    verify validar, count contar, calculate calcular, convert converter converta, translate traduzir traduza, summarize
    resumir resuma, compare comparar, analyze analisar analise, write escrever escreva redigir, save salvar guardar gravar,
    attach anexar, notify notificar avisar, remind lembrar lembre, connect conectar ligar_a, disconnect desconectar, sync
    sincronizar, track rastrear acompanhar, record registrar registar anotar, log lançar_horas, call telefonar ligar_para
    chamar, ask perguntar, sign assinar_documento, print imprimir, play tocar reproduzir toque, mute silenciar, pin fixar,
    sort ordenar, filter filtrar, replace substituir trocar_por, clear limpar esvaziar, leave sair, join entrar, deploy
    implantar publicar_app, build construir compilar, test testar, scan escanear digitalizar, extract extrair extraia,
    transcribe transcrever, draw desenhar, resize redimensionar, compress comprimir, submit submeter, describe descrever,
    explain explicar, tag etiquetar, comment comentar, review revisar rever, link vincular, hide ocultar esconder, reset
    redefinir reiniciar, retry repetir, split dividir, transfer transferir, suspend suspender, revoke revogar, grant
    conceder, crop recortar cortar, predict prever, solve resolver, browse navegar, visit visitar, evaluate avaliar,
    multiply multiplicar, divide dividir_por, round arredondar,
    win ganhar ganhou, lose perder perdeu, sell vender vendeu, forget esquecer, fix consertar arrumar, rent alugar,
    hire contratar, delete jogar_fora joga_fora, add anota cadastrar cadastra botar bota, finish acabar acabou,
    deliver entregar,
    take pega, put poe coloca, pull puxar puxa, bring traz, come vir vem, go ir, stay sobrar sobrou resta, need precisar
    precisa, owe dever devendo deve, cost custar custa, consume gastar, hit acertar, grow crescer cresceu, increase
    aumentar, reduce reduzir diminuir, improve melhorar, work trabalhar, function funcionar, leave deixar, hold segurar
    manter, sign_in entrar_na_conta logar, sign_out sair_da_conta, clock_in bater_ponto, clock_out bater_ponto_de_saida,
    withdraw sacar, drop descartar, promote promover, fire demitir, recommend recomendar indicar, suggest sugerir, discuss
    discutir, speak falar fala, tell dizer diz, report denunciar relatar, decide decidir, plan planejar, measure medir,
    weigh pesar, cook cozinhar, eat comer, arrive chegar chegando, ship despachar, pack embalar, break quebrar quebrou, wait
    esperar, watch assistir, listen ouvir, learn aprender, teach ensinar, enroll matricular, grade dar_nota, unlock
    destravar, ban banir, kick expulsar, turn_on acender, roll_back reverter, migrate migrar, index indexar, crawl varrer,
    detect detectar, classify classificar, match casar, rank classificar_por,
    remind lembra, nudge cutucar, reply respondeu, forward repassar encaminha, call_back retornar_a_ligacao, pick_up
    buscar_na_loja, drop_off deixar_em, lend emprestar emprestei, borrow pegar_emprestado, pay pago paguei pagou, sell
    vendido esgotado, answer respondido, confirm confirmar confirma, bring_forward antecipar, shorten encurtar, extend
    prorrogar estender, renew renovar, expire vencer expirar, swap permutar, cover cobrir, thank agradecer, apologize
    pedir_desculpas, congratulate parabenizar, hang pendurar, stick colar, tidy organizar, open aberto, switch_on acionar,
    set ajustar, lower abaixar, raise aumentar_o_volume, wake acordar_as, look dar_uma_olhada, see viu vi, know sabe, think
    pensar, happen aconteceu, fall cair caiu, rise subiu, miss perdido perdi, wear vestir, help ajudar ajuda, tag
    marcar_com, log lancar, swipe deslizar, pack agrupar,
    retweet retuitar, clone clonar, restore ressuscitar ressuscita, unsubscribe cancelar_a_inscricao, sign_up
    fazer_cadastro, take_over assumir assumo, sign assinou assinado, get receber, change mudou trocou alterou, write
    escreveu escrito, say disse falou, exist existem, mean significa quer_dizer, use usa usam, forget esqueci esquece,
    freeze congelar congela, deploy subir_em_producao, escalate escalar, join entrar_no_grupo, travel viajar, breed
    criar_animais, rain chover chove, freeze_over geada,
    add poe_ai inclui insere lanca_ai, create faz monta_um abre_um gera_um, send mandou mandei envia manda_um dispara,
    tell fala_pra conta_pra, notify avise, get busca_o, receive recebi recebeu chegou_o, give da_pra deu, show mostra_ai
    ve, see olha, check confere checa ver_se, find achou encontra localiza, search procura pesquisa, read le_pra, delete
    deleta exclui, remove tira_o saiu_da, cancel cancele, update edita mexe_no, change muda_o, move passar_pra joga_pra,
    postpone empurra, bring_forward antecipa, schedule agende marca_uma, assign atribui designa passa_pro, invite
    convida chama_pra, join entra entrou, leave sai saiu, subscribe assina, register cadastro_do, pay pago_o, charge
    cobra_o, refund reembolsa devolve, buy comprou, sell vende, order pede, approve aprovou, reject recusa reprovar,
    accept aceita, call liga_pra ligou liguei, call_back retornar, hang_up desligar_a_chamada, remind lembra_me
    me_lembra, save salvei guarda, restore volta_a volta_o voltar, merge mescla, split racha rachar, rename renomeia,
    publish solta_o sobe_o, post posta_no, play toca bota_pra_tocar, listen escutar, record grava, translate traduz, dub
    dubla, summarize resume, compare compara, calculate calcula, convert converte transforma transformar, unlock libera,
    enable liga_o, disable desativa, turn_on acende, turn_off apaga_a_luz, start comeca inicia, stop pare, resume
    retoma, run roda, deploy subir_pra, fix conserta arruma, fail falhar, deliver entregou, arrive cheguei, go foi_pra,
    come veio, return devolver_o, hide esconde, upload sobe upar, sign assinar_o, draw desenha, explain explica, fire
    demitiu, spend gastei gastou, owe devo_pro, marry casou, move mudou_pra, hit bateu batemos, happen acontecendo
    rolou, comment comentou, complain reclamou, stir mexer, cross_out riscar risca, point aponta`,
  nouns: `
    email correio mail correio_eletronico, inbox caixa_de_entrada, message mensagem mensagens recado, channel canal canais,
    conversation conversa, thread topico, reply resposta, draft rascunho, attachment anexo, label etiqueta rotulo, folder
    pasta diretorio, file arquivo ficheiro, document documento, page pagina, note nota anotacao, notebook caderno, task
    tarefa, subtask subtarefa, list lista, project projeto, board quadro, card cartao, column coluna, checklist
    lista_de_verificacao, comment comentario, mention mencao, reaction reacao, issue problema, ticket chamado, bug erro
    falha, repository repositorio, branch ramo, release lancamento, code codigo, workflow fluxo fluxo_de_trabalho,
    deployment implantacao, environment ambiente, variable variavel, secret segredo, key chave, event evento, calendar
    calendario agenda, meeting reuniao reunioes, appointment compromisso consulta, reminder lembrete, invitation convite,
    attendee participante convidado, availability disponibilidade, schedule horario, contact contato contacto, customer
    cliente, company empresa companhia, organization organizacao, lead lead prospecto, deal negocio, opportunity
    oportunidade, quote orçamento orcamento cotacao proposta, order pedido encomenda, cart carrinho, product produto, item
    item artigo_de_loja, price preço preco, discount desconto, coupon cupom, inventory estoque inventario, shipment envio
    remessa, package pacote encomenda_postal, address endereço endereco morada, store loja, invoice fatura faturas
    nota_fiscal, payment pagamento, refund reembolso estorno, subscription assinatura, plan plano, balance saldo, account
    conta contas, transaction transacao, transfer transferencia, receipt recibo, expense despesa gasto, tax imposto, credit
    credito, dispute contestacao disputa, vendor fornecedor, employee funcionario colaborador empregado, candidate
    candidato, job vaga emprego, application candidatura, vacation ferias, leave folga licenca, payroll folha_de_pagamento,
    salary salario, shift turno, team equipe equipa time, member membro, user usuario utilizador, group grupo, role papel
    funcao, permission permissao, access acesso, password senha, profile perfil, photo foto, image imagem imagens, video
    video, song musica cancao, playlist lista_de_reproducao, artist artista, recording gravacao, transcript transcricao,
    translation traducao, language idioma lingua, text texto, summary resumo, report relatorio, chart grafico, dashboard
    painel, statistics estatistica, metric metrica, analysis analise, spreadsheet planilha folha_de_calculo, sheet folha
    aba, row linha, cell celula, table tabela, database banco_de_dados base_de_dados, record registro, field campo, value
    valor, query consulta_sql, form formulario, survey pesquisa_de_satisfacao enquete inquerito, response respostas,
    question pergunta, template modelo, campaign campanha, audience publico audiencia, segment segmento, subscriber
    assinante inscrito, newsletter boletim, post publicacao postagem, article artigo, story historia, follower seguidor,
    website site, domain dominio, link link ligacao, result resultado, news noticia, weather tempo clima, forecast previsao,
    temperature temperatura, map mapa, location localizacao lugar local, city cidade, country pais, route rota, distance
    distancia, flight voo, hotel hotel, reservation reserva, ride corrida, restaurant restaurante, menu cardapio, review
    avaliacao, currency moeda, exchange_rate taxa_de_cambio cambio, number numero, sum soma, percentage porcentagem
    percentagem, date data, time hora horas, timezone fuso_horario, duration duracao, day dia, week semana, month mes, year
    ano, today hoje, tomorrow amanha, yesterday ontem, timer cronometro temporizador, log log, error erros, alert alerta,
    incident incidente, status status situacao, server servidor, backup copia_de_seguranca, space espaço espaco, storage
    armazenamento, device dispositivo aparelho, light luz, phone telefone celular telemovel, call chamada ligacao_telefonica,
    voicemail correio_de_voz, sms mensagem_de_texto torpedo, notification notificacao aviso, settings configuracoes
    definicoes ajustes, version versao, history historico, change mudança alteracao, copy copia, name nome, title titulo,
    description descricao, category categoria, priority prioridade, deadline prazo, owner dono proprietario responsavel,
    stage etapa fase, goal meta objetivo, milestone marco, workspace espaco_de_trabalho area_de_trabalho, drive unidade,
    signature assinatura_digital, contract contrato, envelope envelope, student aluno estudante, course curso, class aula
    turma, grade nota_final, assignment trabalho licao_de_casa, lesson licao, recipe receita, book livro, chapter capitulo,
    definition definicao, word palavra, game jogo, patient paciente, property imovel propriedade, house casa, car carro,
    vehicle veiculo, driver motorista, delivery entrega, new novo nova novos novas, last ultimo ultima ultimos ultimas, next
    proximo proxima, open abertos abertas, unread nao_lidos, old velho antigo, free livre, person pessoa pessoas, activity
    atividade, request pedido_http solicitacao, data dados, tool ferramenta, ad anuncio, view vista, keyword palavra_chave,
    purchase compra, sale venda, guest hospede, size tamanho, color cor, command comando, screenshot
    captura captura_de_tela, browser navegador, memory memoria,
    money dinheiro grana, room quarto sala, kitchen cozinha, rent aluguel, insurance seguro, doctor medico medica,
    dentist dentista, pharmacy farmacia, child crianca filho filha, dog cachorro, cat gato, wedding casamento,
    birthday aniversario, friend amigo amiga, family familia, school escola, train trem, trash lixeira lixo, weekend
    fim_de_semana, coffee cafe, gift presente, apartment apartamento, fee taxa, tenant inquilino, minute minuto
    minutos, half metade, clinic clinica, neighbor vizinho,
    monday segunda_feira, tuesday terca_feira terca, wednesday quarta_feira, thursday quinta_feira, friday sexta_feira,
    saturday sabado, sunday domingo, january janeiro, february fevereiro, april abril, june junho, july julho, august
    agosto, september setembro, october outubro, november novembro, december dezembro, morning manha, noon meio_dia,
    afternoon tarde, evening noitinha, night noite madrugada, two dois duas, three tres, ten dez, euro euros, dollar dolar,
    quarter trimestre, season temporada, summer verao, winter inverno, spring primavera, autumn outono, holiday feriado,
    christmas natal, easter pascoa, department departamento setor, recipient destinatario, sender remetente, feedback
    retorno_dos_clientes, estimate estimativa orcamento_previo, preview pre_visualizacao previa, skill habilidade, score
    placar pontuacao, brand marca, retention retencao, dictionary dicionario, risk risco, target alvo, privacy privacidade,
    payout repasse, quota cota, limit limite, partner parceiro, bank banco, stock acoes_da_bolsa, quiz questionario,
    enrollment inscricao matricula, market mercado, letter carta, postcard cartao_postal, logo logotipo, evidence
    prova_documental comprovante, income renda, revenue faturamento, profit lucro, loss perda prejuizo, cost custo, debt
    divida, amount valor_total quantia, loan emprestimo, donation doacao, donor doador, accounting contabilidade, warehouse
    armazem deposito, carrier transportadora, tracking rastreio rastreamento, return devolucao, warranty garantia, complaint
    reclamacao queixa, support suporte, caller quem_ligou, queue fila, shift escala, overtime horas_extras, absence ausencia
    falta, interview entrevista, resume curriculo, manager gerente chefe, colleague colega, intern estagiario, training
    treinamento, exam prova exame, teacher professor, parent pais_dos_alunos, attendance presenca frequencia, university
    universidade faculdade, library biblioteca, author autor, publisher editora, verse versiculo, poem poema, quote citacao,
    player jogador, coach treinador tecnico, goal gol, scorer artilheiro, match partida, league liga campeonato, standings
    classificacao tabela_do_campeonato, injury lesao lesionado machucado, lineup escalacao, referee arbitro, stadium
    estadio, odds chance_de_ganhar, prediction palpite, movie filme, show serie, episode episodio, concert show_de_musica,
    theater teatro, museum museu, lyrics letra_da_musica, voice voz, sound som, subtitle legenda, thumbnail miniatura,
    background fundo, avatar foto_de_perfil, icon icone, font fonte, design projeto_grafico, layer camada, sticker adesivo
    figurinha, shape forma, drawing desenho, diagram diagrama, presentation apresentacao, paragraph paragrafo, heading
    cabecalho, footer rodape, spelling ortografia, sentence frase, abstract resumo_do_artigo, paper estudo, source
    fonte_de_dados, reference referencia, topic tema assunto, entity entidade, sentiment sentimento tom, spam
    lixo_eletronico, filter filtro, rule regra, policy politica, condition condicao, trigger gatilho, automation automacao,
    integration integracao, connection conexao, session sessao, login acesso_login, admin administrador, visitor visitante,
    traffic trafego transito, click clique, conversion conversao, trend tendencia, ranking posicao_no_google, competitor
    concorrente concorrencia, investor investidor, investment investimento investiu, fund fundo_de_investimento, headcount
    quadro_de_funcionarios, industry industria, founder fundador, neighborhood bairro, building predio edificio, floor
    andar, parking estacionamento vaga_de_carro, garden jardim horta, roof telhado, leak vazamento, heating aquecimento,
    repair conserto reparo, equipment equipamento, machine maquina, printer impressora, laptop notebook, door porta, window
    janela, battery bateria, power energia_eletrica, fuel combustivel, fleet frota, truck caminhao, boat barco, station
    estacao parada, airport aeroporto, passenger passageiro, passport passaporte, seat assento, trip viagem, luggage bagagem
    mala, breakfast cafe_da_manha, lunch almoco, dinner jantar, food comida, drink bebida, wine vinho, ingredient
    ingrediente, grocery compras_do_mercado, medicine remedio medicamento, prescription receita_medica, nurse enfermeira,
    diagnosis diagnostico, symptom sintoma, allergy alergia, blood sangue, weight peso, height altura, sleep sono, exercise
    exercicio treino, swimming natacao, animal bicho, plant planta, tree arvore, water agua, air ar, earthquake terremoto,
    planet planeta, asteroid asteroide, satellite satelite, law lei, court tribunal, lawyer advogado, lawsuit
    processo_judicial, witness testemunha, notary cartorio tabeliao, signer signatario, document papelada, clause clausula,
    consent consentimento, member socio, club clube, volunteer voluntario, church igreja, party festa, speaker palestrante,
    booth estande, fair feira, webinar webinario, agenda pauta, poll votacao, vote voto, idea ideia, decision decisao,
    approval aprovacao, mistake engano, outage queda_do_sistema pane, crash travamento, performance desempenho, uptime
    tempo_no_ar, certificate certificado, network rede, cloud nuvem, container conteiner, feature funcionalidade recurso,
    schema esquema, index indice, collection colecao, catalog catalogo, gallery galeria, bookmark favorito marcador, button
    botao, banner faixa, headline manchete, press imprensa, gift_card vale_presente, loyalty fidelidade, variant variante,
    barcode codigo_de_barras, quantity quantidade, average media, percent por_cento, archive arquivo_morto, wallet carteira,
    crypto criptomoeda, gold ouro, coordinates coordenadas, boss patrao, office escritorio, desk mesa_de_trabalho, headache
    dor_de_cabeca, name sobrenome, age idade, gender genero, nationality nacionalidade, beginning inicio comeco, end fim,
    current atual atualmente, late atrasado, wrong errado errada, missing faltando, duplicate duplicado, empty vazio,
    private privado particular, active ativo ativa, expired vencido expirado, failed falhou, pending pendente, urgent
    urgente, important importante, cheap barato, expensive caro, nearby perto, available disponivel, red vermelho vermelha,
    blue azul, green verde, black preto, white branco, dark escuro,
    four quatro, five cinco, six seis, seven sete, eight oito, nine nove, hundred cem, thousand mil, second segundos, day
    dias, pipeline funil_de_vendas, update atualizacao, newsletter informativo, mailing_list lista_de_e_mails, copy
    em_copia, subject assunto_do_e_mail, minutes ata, group_chat grupo_do_zap, video_call videochamada, microphone
    microfone, mute mudo, slot horario_livre, waiting_list lista_de_espera, deposit sinal caucao, installment parcela
    prestacao, bill boleto conta_de_luz, vat imposto_sobre_vendas iva, tax_return imposto_de_renda, petty_cash caixa,
    allowance ajuda_de_custo, mileage quilometragem quilometros, timesheet folha_de_ponto, payslip contracheque holerite,
    wage pagamento_do_salario, sick_leave doente atestado, cleaner faxineira diarista, plumber encanador, electrician
    eletricista, painter pintor, mechanic mecanico oficina, construction obra construcao, offer oferta promocao, shelf
    prateleira, delivery_note nota_de_entrega, sample amostra, clothes roupa, shoe sapato calcado, phone_number
    numero_de_telefone, meter_reading leitura_do_medidor, electricity luz_eletrica, temperature graus, heater aquecedor,
    air_conditioning ar_condicionado, vacuum aspirador, living_room sala_de_estar, bathroom banheiro, basement porao,
    hallway corredor, harbour porto, street rua, village vila, holiday_home casa_de_temporada, competition torneio concurso,
    choir coral ensaio, band banda, baptism batizado, funeral enterro velorio, mother mae mamae, father pai papai,
    grandmother avo vovo, brother irmao, sister irma, aunt tia, uncle tio, man homem, woman mulher senhora, girl menina, boy
    menino, baby bebe, vaccination vacina, vet veterinario, cow vaca bezerro, horse cavalo, chicken galinha frango, egg ovo
    ovos, milk leite, bread pao, cheese queijo, bakery padaria, soap sabonete, candle vela, flower flor flores, cup caneca
    xicara, bicycle bicicleta bike, motorcycle moto, step passos, run corri, blood_pressure pressao, lock fechadura, alarm
    despertador alarme, fire incendio fogo, irrigation irrigacao, field talhao, hay feno, note bilhete, voucher vale_compra,
    permission permissoes, build compilacao, on_call sobreaviso plantao, on_leave de_ferias, handover passagem_de_turno,
    inspection vistoria, defect defeito, maintenance manutencao, spare_part peca_de_reposicao, screw parafuso, tool
    furadeira, neighborhood condominio, claim sinistro, insurer seguradora, landlord locador, viewing visita_ao_imovel,
    mortgage financiamento hipoteca, chord acorde, poster cartaz, flyer panfleto, print_shop grafica, story stories, like
    curtida, follower seguidores, star estrela, table mesa, waiter garcom, dish prato, schedule grade_de_horarios, test
    prova_de_matematica, kindergarten creche, babysitter baba, parents_evening reuniao_de_pais, customs alfandega, container
    conteiner_de_carga, pallet palete, stocktaking balanco_de_estoque, best_before validade,
    ready pronto pronta prontinho, correct certo certa correto, valid valido valida, tip gorjeta, direct_debit
    debito_automatico, nut castanha, calorie calorias, move mudanca_de_casa, tender licitacao, strike greve, elevator
    elevador, drain ralo, dishwasher lava_loucas, forklift empilhadeira, oil oleo, spare reserva_de_peca, leaflet folheto,
    subpage subpagina, archive processos, note notas, contact_person pessoa_de_contato, representative representante,
    utilization ocupacao, duplicate repetida, husband marido, wife esposa, person galera, thing coisa coisas, piece pedaco
    peca, way jeito maneira, size menor maior, long longo longa, short curto curta, big grande, small pequeno pequena, good
    bom boa, bad ruim, better melhor, latest mais_recente, main principal, own proprio, real verdadeiro, automatic
    automatico, final definitivo, english ingles, german alemao, french frances, spanish espanhol, italian italiano, polish
    polones, switzerland suica, cover capa, air_quality qualidade_do_ar, weather previsao_do_tempo, robot robo, scraper
    raspador, section secao, column colunas, unit_test testes, lead contato_comercial,
    exit saida, service servico servicos, branch branch, real reais real, order ordem, reading leitura, mode modo, cake
    bolo, support atendimento, budget verba, shirt camisa, recycling reciclavel, city_hall prefeitura, discussion
    discussao, architect arquiteta arquiteto, wood carvalho, boring chato, seminar seminario, abandoned abandonado
    abandonados, fridge geladeira, valve valvula, sink pia, left esquerdo esquerda, right direito direita, subdomain
    subdominio, cold frio, engineer engenheiro engenheira, formula formulas, export exportacao, screen tela, subway
    metro, renovation reforma, audit auditoria, leak goteira, tea cha, late atrasada, logistics logistica, funnel funil,
    winery vinicola, loop loop, disk disco, shoe tenis, farm roca, satisfied satisfeita satisfeito, huge gigante, legacy
    legado, clip clipe, alias alias, execution execucao, use uso, recruitment recrutamento, tweet tuite tweet, reseller
    revendedor, example exemplos, marketing marketing, owner dona_da, ticket chamados, subscriber assinantes, test
    teste, date datas, pattern padrao padroes, invoice notas_fiscais boletos, expense gastos, customer clientes, vendor
    fornecedores, employee funcionarios, candidate candidatos, job vagas, reminder lembretes, task tarefas, list listas,
    file arquivos, folder pastas, video videos, comment comentarios, post publicacoes, visitor visitas visitantes, sale
    vendas, revenue receita_do, campaign campanhas, survey pesquisa_de, light luzes, password senhas, access acessos,
    user usuarios, version versoes, outage queda_do, status andamento, number numeros, report relatorios, quote
    orcamentos, product produtos, trip viagens, hotel hospedagem pousada, recipe receitas, goal metas, idea ideias,
    student alunos, assignment dever_de_casa, grade nota_da_prova, course cursos, interest interno, internal interna
    internos`,
};
