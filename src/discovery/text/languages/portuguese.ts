/** Portuguese verbs and nouns of requests; see `lexicon.ts`. */
import type { LanguageData } from './lexicon.js';

export const portuguese: LanguageData = {
  functions: `
    the o os as, a um uma uns umas, of de do da dos das, in em no na nos nas, to a ao aos para pra pro, for por pelo pela,
    with com, from desde, and e, or ou, then depois entao, my meu minha meus minhas, our nosso nossa nossos nossas, this
    este esta isto esse essa isso neste nesta nesse nessa, these estes estas esses essas, that que aquele aquela, all todos
    todas todo toda, me me mim, i eu, is e_um esta sao ha existe, not nao nem, if se, about sobre, between entre, without
    sem, what qual quais, who quem, when quando, how como, where onde, your seu sua seus suas teu tua, please por_favor,
    want quero queria preciso gostaria pode poderia voce voces consegue tenho tem, it lhe, also tambem alem, until ate, now agora ja ainda ta foi vai aqui desse dessa dele dela eles, only so somente apenas, more mais, how_many quantos quantas quanto quanta, be ser estar estao, we nos, us gente,
    but mas, he ele ela elas, very muito, who alguem ninguem, was foram era estava estou to, same mesmo mesma, why
    por_que porque, where cade, there la ali ai, each cada, have tinha tem_que, so bem, before antes, after depois_de,
    all tudo, let deixa deixe, the num numa nuns dum duma, them deles delas`,
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
    deliver entregar`,
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
    minutos, half metade, clinic clinica, neighbor vizinho`,
};
